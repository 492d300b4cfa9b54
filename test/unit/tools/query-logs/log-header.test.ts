import { expect, it } from 'vitest';
import { HeaderScanner } from '../../../../functions/diagnosis/tools/query-logs/log-header.ts';

it.each([
  {
    name: 'logback with thread and logger',
    line: '2026-11-30 17:02:03.572 ERROR [exec-48] c.a.pay.Gateway - 支付网关超时',
    found: { level: 'ERROR', time: '2026-11-30 17:02:03.572', message: '支付网关超时' },
  },
  {
    name: 'Spring Boot with process id and padded logger',
    line: '2026-11-30 17:04:01.638  WARN 4343 --- [nio-8080-1] c.a.pay.StockCache   : slow',
    found: { level: 'WARN', time: '2026-11-30 17:04:01.638', message: 'slow' },
  },
  {
    name: 'syslog with host and program',
    line: 'Nov 30 17:01:10 web-3 sshd[24200]: Invalid user guest',
    found: { level: null, time: 'Nov 30 17:01:10', message: 'Invalid user guest' },
  },
  {
    name: 'the priority of syslog',
    line: '<34>Nov 30 17:01:10 web-3 su: failed for anna',
    found: { level: 'FATAL', time: 'Nov 30 17:01:10', message: 'web-3 su: failed for anna' },
  },
  {
    name: 'a level that the program writes behind its own name',
    line: 'Nov 30 17:01:10 web-3 sshd[24200]: error: no such key',
    found: { level: 'ERROR', time: 'Nov 30 17:01:10', message: 'no such key' },
  },
  {
    name: 'a program whose message begins with a word in capitals',
    line: 'Nov 30 17:01:10 web-3 pay[24200]: ERROR lost',
    found: { level: 'ERROR', time: 'Nov 30 17:01:10', message: 'lost' },
  },
  {
    name: 'brackets as in Apache',
    line: '[Mon Nov 30 17:01:10 2026] [error] worker in error state 6',
    found: { level: 'ERROR', time: 'Mon Nov 30 17:01:10 2026', message: 'worker in error state 6' },
  },
  {
    name: 'Android with process, thread and a letter',
    line: '11-30 17:01:10.811  1702  2395 D WindowManager: open app',
    found: { level: 'DEBUG', time: '11-30 17:01:10.811', message: 'open app' },
  },
  {
    name: 'glog, where the level stands before the date',
    line: 'W1130 17:01:10.619751 disk is slow',
    found: { level: 'WARN', time: 'W1130 17:01:10.619751', message: 'disk is slow' },
  },
  {
    name: 'columns parted by bars',
    line: '20261130-17:01:10:606|Step_LSC|30002312|REPORT : 7 5 1',
    found: { level: null, time: '20261130-17:01:10:606', message: 'REPORT : 7 5 1' },
  },
  {
    name: 'a level before the time',
    line: 'ERROR 2026-11-30 17:01:10 lost',
    found: { level: 'ERROR', time: '2026-11-30 17:01:10', message: 'lost' },
  },
  {
    name: 'uptime of a virtual machine in place of a time',
    line: '[2.776s][warning][gc] To-space exhausted',
    found: { level: 'WARN', time: '', message: 'To-space exhausted' },
  },
  {
    name: 'the prefix of a collector',
    line: '[pod/pay-1/app] 2026-11-30 17:00:01.001 ERROR x - failed',
    found: { level: 'ERROR', time: '2026-11-30 17:00:01.001', message: 'failed' },
  },
  {
    name: 'a zone behind the time, not taken for a level',
    line: '2026-11-30 01:45:01.123 PST [12345] FATAL:  too many connections',
    found: { level: 'FATAL', time: '2026-11-30 01:45:01.123 PST', message: 'too many connections' },
  },
  {
    name: 'a failure class, which belongs to the message',
    line: '2026-11-30 17:00:00 ERROR OutOfMemoryError: Java heap',
    found: { level: 'ERROR', time: '2026-11-30 17:00:00', message: 'OutOfMemoryError: Java heap' },
  },
  {
    name: 'a sentence that begins like a level',
    line: '2026-11-30 17:00:00 Alert raised by pay',
    found: { level: null, time: '2026-11-30 17:00:00', message: 'Alert raised by pay' },
  },
  {
    name: 'a level in small letters with a column of its own',
    line: '2026-11-30 17:00:00, Info                  CBS    Loaded the stack',
    found: { level: 'INFO', time: '2026-11-30 17:00:00', message: 'Loaded the stack' },
  },
  {
    name: 'a level, where the message begins with a date of its own',
    line: '2026-11-30 17:02:13 ERROR 2026-10-01 00:00:00 job late',
    found: {
      level: 'ERROR',
      time: '2026-11-30 17:02:13',
      message: '2026-10-01 00:00:00 job late',
    },
  },
  {
    name: 'a level before the time, where the message begins with a date',
    line: 'WARN 2026-11-30 17:02:13 2026-10-01T00:00:00Z job late',
    found: { level: 'WARN', time: '2026-11-30 17:02:13', message: '2026-10-01T00:00:00Z job late' },
  },
  {
    name: 'the letter of a level, where the message begins with a date',
    line: '11-30 17:01:10.811 E 2026-10-01T00:00:00Z job late',
    found: { level: 'ERROR', time: '11-30 17:01:10.811', message: '2026-10-01T00:00:00Z job late' },
  },
  {
    name: 'a glog header, where the message begins with a date',
    line: 'E1130 17:01:10.619751 2026-10-01 00:00:00 job late',
    found: {
      level: 'ERROR',
      time: 'E1130 17:01:10.619751',
      message: '2026-10-01 00:00:00 job late',
    },
  },
  {
    name: 'the time of a collector, which is kept beside that of the program',
    line: '2026-11-30T09:01:10.811Z 2026-11-30 17:01:10,800 ERROR lost',
    found: { level: 'ERROR', time: '2026-11-30T09:01:10.811Z', message: 'lost' },
  },
  {
    name: 'a time without year, where one with a zone says more',
    line: 'Nov 30 17:01:10 web-3 2026-11-30T09:01:10Z ERROR lost',
    found: { level: 'ERROR', time: '2026-11-30T09:01:10Z', message: 'lost' },
  },
  {
    name: 'a time without year, where one without zone says no more',
    line: 'Nov 30 17:01:10 web-3 2026-10-01 00:00:00 job late',
    found: { level: null, time: 'Nov 30 17:01:10', message: 'job late' },
  },
  {
    name: 'no header at all',
    line: 'not json at all',
    found: { level: null, time: '', message: 'not json at all' },
  },
])('finds the message behind $name', ({ line, found }) => {
  const header = new HeaderScanner();

  header.scan(line);

  const time = line.slice(Math.max(0, header.timeStart), Math.max(0, header.timeEnd));
  expect({ level: header.level, time, message: line.slice(header.messageStart) }).toEqual(found);
});
