import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../shared/kernel/folder.ts';

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'folder-'));
  writeFileSync(join(base, 'file'), '');
});
afterAll(() => {
  rmSync(base, { recursive: true });
});

describe('makeFolder', () => {
  it('makes what is missing above as well, and is content with what is there', () => {
    const path = join(base, 'a', 'b', 'c');

    makeFolder(path);
    makeFolder(path);

    expect(existsSync(path)).toBe(true);
  });

  it.each([
    ['a file', () => join(base, 'file', 'below')],
    ['a file system that makes no folders', () => '/proc/none/below'],
  ])('gives up at once below %s', (_where, path) => {
    expect(() => makeFolder(path())).toThrowError();
  });
});
