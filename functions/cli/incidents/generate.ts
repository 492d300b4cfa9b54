import { fileURLToPath } from 'node:url';
import { writeCapsule } from './generator/payment-timeout.ts';

// Writes the shipped capsule anew.
writeCapsule(fileURLToPath(new URL('payment-timeout', import.meta.url)));
