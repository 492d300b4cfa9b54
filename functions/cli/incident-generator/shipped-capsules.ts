import type { CapsuleFiles } from './capsule.ts';
import { generateCapsule } from './payment-timeout/payment-timeout.ts';
import { healthyNoisy } from './scenarios/healthy-noisy.ts';
import { hostileLogs } from './scenarios/hostile-logs.ts';
import { jvmContainerLimit } from './scenarios/jvm-container-limit.ts';
import { jvmLeak } from './scenarios/jvm-leak.ts';
import { mysqlPoolCannotOpen } from './scenarios/mysql-pool-cannot-open.ts';
import { mysqlPoolExhausted } from './scenarios/mysql-pool-exhausted.ts';
import { paymentTimeoutChannel } from './scenarios/payment-timeout-channel.ts';
import { redisClientPool } from './scenarios/redis-client-pool.ts';
import { redisIdleDisconnect } from './scenarios/redis-idle-disconnect.ts';
import { redisTimeoutUnexplained } from './scenarios/redis-timeout-unexplained.ts';
import { slowDownstream } from './scenarios/slow-downstream.ts';
import { slowMissingIndex } from './scenarios/slow-missing-index.ts';

/** How each shipped incident is made, by the name of its folder. */
export const shippedCapsules: ReadonlyMap<string, () => CapsuleFiles> = new Map([
  ['payment-timeout', generateCapsule],
  ['payment-timeout-channel', paymentTimeoutChannel],
  ['mysql-pool-exhausted', mysqlPoolExhausted],
  ['mysql-pool-cannot-open', mysqlPoolCannotOpen],
  ['redis-client-pool', redisClientPool],
  ['redis-idle-disconnect', redisIdleDisconnect],
  ['redis-timeout-unexplained', redisTimeoutUnexplained],
  ['slow-missing-index', slowMissingIndex],
  ['slow-downstream', slowDownstream],
  ['jvm-leak', jvmLeak],
  ['jvm-container-limit', jvmContainerLimit],
  ['hostile-logs', hostileLogs],
  ['healthy-noisy', healthyNoisy],
]);
