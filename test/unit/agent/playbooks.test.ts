import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  loadPlaybooks,
  NO_PLAYBOOKS,
  PlaybookReader,
} from '../../../functions/diagnosis/agent/playbooks.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skills-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('loadPlaybooks', () => {
  it('reads name, description and body of every folder, by name', () => {
    write('diagnose-b', '---\nname: diagnose-b\ndescription: 乙\n---\n\n# 乙\n');
    write('diagnose-a', '---\r\nname: diagnose-a\r\ndescription: 甲\r\n---\r\n# 甲\r\n');
    writeFileSync(join(folder, 'README.md'), 'not a playbook');

    const { playbooks } = loadPlaybooks(folder);

    expect(playbooks).toEqual([
      { name: 'diagnose-a', description: '甲', body: '# 甲' },
      { name: 'diagnose-b', description: '乙', body: '# 乙' },
    ]);
  });

  it('has another hash when a body changes', () => {
    write('diagnose-a', '---\nname: diagnose-a\ndescription: 甲\n---\n一');
    const before = loadPlaybooks(folder).sha256;
    write('diagnose-a', '---\nname: diagnose-a\ndescription: 甲\n---\n二');

    expect(loadPlaybooks(folder).sha256).not.toBe(before);
  });

  it.each([
    ['no front matter', '# 只有正文'],
    ['a front matter that is not YAML', '---\nname: [\n---\n正文'],
    ['a name that is not its folder', '---\nname: diagnose-b\ndescription: 甲\n---\n正文'],
    ['a name with upper case', '---\nname: Diagnose-a\ndescription: 甲\n---\n正文'],
    ['no description', '---\nname: diagnose-a\n---\n正文'],
    ['a description of two lines', '---\nname: diagnose-a\ndescription: "甲\\n乙"\n---\n正文'],
    ['an unknown key', '---\nname: diagnose-a\ndescription: 甲\nversion: 1\n---\n正文'],
    ['bytes that are no UTF-8', Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff])],
  ])('refuses a playbook with %s and names its file', (_case, content) => {
    write('diagnose-a', content);

    expect(() => loadPlaybooks(folder)).toThrowError(
      expect.objectContaining({
        code: 'CONFIGURATION_INVALID',
        message: expect.stringContaining(join('diagnose-a', 'SKILL.md')),
      }),
    );
  });

  it('refuses a folder without its SKILL.md', () => {
    mkdirSync(join(folder, 'diagnose-a'));

    expect(() => loadPlaybooks(folder)).toThrowError(
      expect.objectContaining({ code: 'CONFIGURATION_INVALID' }),
    );
  });

  it('refuses a folder that is not there', () => {
    expect(() => loadPlaybooks(join(folder, 'none'))).toThrowError(
      expect.objectContaining({ code: 'CONFIGURATION_INVALID' }),
    );
  });
});

describe('PlaybookReader', () => {
  it('selects the first playbook that is read', () => {
    const reader = new PlaybookReader(CATALOG);
    reader.read('diagnose-b');
    reader.read('diagnose-a');

    expect(reader.selected).toBe('diagnose-b');
    expect(reader.texts).toEqual(['二', '一']);
  });

  it('hands a body out once', () => {
    const reader = new PlaybookReader(CATALOG);

    expect(reader.read('diagnose-a').kind).toBe('read');
    expect(reader.read('diagnose-a')).toEqual({ kind: 'already_read' });
  });

  it.each(['diagnose-c', '../diagnose-a', 'diagnose-a/SKILL.md', 'DIAGNOSE-A', '__proto__', ''])(
    'lists the valid names for %j',
    (name) => {
      const reader = new PlaybookReader(CATALOG);

      expect(reader.read(name)).toEqual({
        kind: 'unknown',
        validNames: ['diagnose-a', 'diagnose-b'],
      });
      expect(reader.selected).toBeNull();
    },
  );

  it('knows none where playbooks are switched off', () => {
    expect(new PlaybookReader(NO_PLAYBOOKS).read('diagnose-a')).toEqual({
      kind: 'unknown',
      validNames: [],
    });
  });
});

const CATALOG = {
  sha256: '',
  playbooks: [
    { name: 'diagnose-a', description: '甲', body: '一' },
    { name: 'diagnose-b', description: '乙', body: '二' },
  ],
};

function write(name: string, content: string | Buffer): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'SKILL.md'), content);
}
