import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and what is missing above it. Goes upwards by itself: Node's recursive `mkdir` never
 * returns where a file system refuses with "no such file" below a folder that is there, as /proc does.
 *
 * @throws the file system's own error
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  mkdirSync(path);
}
