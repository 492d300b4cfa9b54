import type { CapsuleFiles } from './capsule.ts';
import { generateCapsule } from './payment-timeout/payment-timeout.ts';
import { mysqlPoolCannotOpen } from './scenarios/mysql-pool-cannot-open.ts';
import { mysqlPoolExhausted } from './scenarios/mysql-pool-exhausted.ts';
import { paymentTimeoutChannel } from './scenarios/payment-timeout-channel.ts';
import { redisClientPool } from './scenarios/redis-client-pool.ts';
import { redisIdleDisconnect } from './scenarios/redis-idle-disconnect.ts';

/** How each shipped incident is made, by the name of its folder. */
export const shippedCapsules: ReadonlyMap<string, () => CapsuleFiles> = new Map([
  ['payment-timeout', generateCapsule],
  ['payment-timeout-channel', paymentTimeoutChannel],
  ['mysql-pool-exhausted', mysqlPoolExhausted],
  ['mysql-pool-cannot-open', mysqlPoolCannotOpen],
  ['redis-client-pool', redisClientPool],
  ['redis-idle-disconnect', redisIdleDisconnect],
]);
