import type { CapsuleFiles } from './capsule.ts';
import { generateCapsule } from './payment-timeout/payment-timeout.ts';

/** How each shipped incident is made, by the name of its folder. */
export const shippedCapsules: ReadonlyMap<string, () => CapsuleFiles> = new Map([
  ['payment-timeout', generateCapsule],
]);
