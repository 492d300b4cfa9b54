/** The trace of a statement that waited for a row lock until the server gave up (error 1205). */
export function lockWaitTrace(company: string): string[] {
  return [
    'org.springframework.dao.CannotAcquireLockException: ',
    '### Error updating database.  Cause: com.mysql.cj.jdbc.exceptions.MySQLTransactionRollbackException: Lock wait timeout exceeded; try restarting transaction',
    `### The error may involve com.${company}.pay.mapper.PaymentMapper.markPaid-Inline`,
    '### SQL: UPDATE payments SET status = ?, settle_status = ?, updated_at = ? WHERE payment_no = ? AND status = ?',
    '\tat org.springframework.jdbc.support.SQLExceptionSubclassTranslator.doTranslate(SQLExceptionSubclassTranslator.java:79)',
    '\tat org.mybatis.spring.SqlSessionTemplate$SqlSessionInterceptor.invoke(SqlSessionTemplate.java:439)',
    '\tat jdk.proxy2/jdk.proxy2.$Proxy142.markPaid(Unknown Source)',
    `\tat com.${company}.pay.confirm.PaymentConfirmService.confirm(PaymentConfirmService.java:118)`,
    `\tat com.${company}.pay.confirm.PaymentConfirmService$$SpringCGLIB$$0.confirm(<generated>)`,
    `\tat com.${company}.pay.web.PaymentController.confirm(PaymentController.java:64)`,
    'Caused by: com.mysql.cj.jdbc.exceptions.MySQLTransactionRollbackException: Lock wait timeout exceeded; try restarting transaction',
    '\tat com.mysql.cj.jdbc.exceptions.SQLError.createSQLException(SQLError.java:123)',
    '\tat com.mysql.cj.jdbc.ClientPreparedStatement.executeInternal(ClientPreparedStatement.java:912)',
    '\tat com.zaxxer.hikari.pool.ProxyPreparedStatement.execute(ProxyPreparedStatement.java:44)',
    '\t... 71 common frames omitted',
  ];
}

/** The trace of a thread that got no connection from its pool in time. */
export function poolWaitTrace(company: string, message: string): string[] {
  return [
    `java.sql.SQLTransientConnectionException: ${message}`,
    '\tat com.zaxxer.hikari.pool.HikariPool.createTimeoutException(HikariPool.java:686)',
    '\tat com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:179)',
    '\tat com.zaxxer.hikari.HikariDataSource.getConnection(HikariDataSource.java:99)',
    '\tat org.springframework.jdbc.datasource.DataSourceTransactionManager.doBegin(DataSourceTransactionManager.java:265)',
    `\tat com.${company}.pay.confirm.PaymentConfirmService$$SpringCGLIB$$0.confirm(<generated>)`,
    `\tat com.${company}.pay.web.PaymentController.confirm(PaymentController.java:64)`,
    '\t... 58 common frames omitted',
  ];
}

/** The trace of a caller that waited for the payment service until its read timeout. */
export function readTimeoutTrace(company: string, url: string): string[] {
  return [
    `org.springframework.web.client.ResourceAccessException: I/O error on POST request for "${url}": Read timed out`,
    '\tat org.springframework.web.client.DefaultRestClient$DefaultRequestBodyUriSpec.createResourceAccessException(DefaultRestClient.java:719)',
    `\tat com.${company}.order.client.PaymentClient.confirm(PaymentClient.java:87)`,
    `\tat com.${company}.order.checkout.CheckoutService.pay(CheckoutService.java:203)`,
    `\tat com.${company}.order.web.CheckoutController.pay(CheckoutController.java:71)`,
    'Caused by: java.net.SocketTimeoutException: Read timed out',
    '\tat java.base/sun.nio.ch.NioSocketImpl.timedRead(NioSocketImpl.java:278)',
    '\tat java.base/sun.nio.ch.NioSocketImpl.implRead(NioSocketImpl.java:304)',
    '\tat java.base/java.net.Socket$SocketInputStream.read(Socket.java:1099)',
    '\t... 49 common frames omitted',
  ];
}

/** The trace of a request that no validation lets through: everyday noise. */
export function validationTrace(company: string): string[] {
  return [
    `com.${company}.order.web.InvalidCouponException: 优惠券已过期`,
    `\tat com.${company}.order.coupon.CouponService.check(CouponService.java:51)`,
    `\tat com.${company}.order.checkout.CheckoutService.prepare(CheckoutService.java:96)`,
    '\t... 44 common frames omitted',
  ];
}
