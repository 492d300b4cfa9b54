import { fileURLToPath } from 'node:url';
import { writeFiles } from './capsule.ts';
import { shippedCapsules } from './shipped-capsules.ts';

// Writes the shipped capsules anew.
for (const [name, generate] of shippedCapsules) {
  writeFiles(fileURLToPath(new URL(`../incidents/${name}`, import.meta.url)), generate());
}
