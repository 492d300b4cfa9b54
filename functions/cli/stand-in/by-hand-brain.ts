import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../../shared/kernel/folder.ts';
import type { Brain, BrainAnswer, ConverseBody } from './brain.ts';
import { readByHandAnswer } from './by-hand-answer.ts';
import { describeRequest } from './by-hand-request.ts';

export interface ByHandOptions {
  /** Where requests are written and answers are read; made if it is not there. */
  readonly folder: string;
  /** Milliseconds between two looks at the answer file. */
  readonly pollMs?: number;
}

/** Bytes of an answer file: far above any draft, far below what hurts. */
const MAX_ANSWER_BYTES = 1_048_576;

/**
 * Lets a person, or any language model that can read and write files, play the model. Request N is
 * written as `round-00N.request.md` to read and `round-00N.request.json` to the letter; the answer is
 * taken from `round-00N.answer.json` once it has stopped changing. What is wrong with it is written
 * to `round-00N.error.txt`, and the waiting goes on. Numbers go on behind requests that are there.
 */
export function createByHandBrain({ folder, pollMs = 200 }: ByHandOptions): Brain {
  let newest: Promise<number> | null = null;
  return {
    async answer(request, { signal }) {
      newest = (newest ?? highestNumber(folder)).then((number) => number + 1);
      const stem = join(folder, `round-${String(await newest).padStart(3, '0')}`);
      await writeWhole(`${stem}.request.md`, describeRequest(request, `${stem}.answer.json`));
      await writeWhole(`${stem}.request.json`, `${JSON.stringify(request, null, 2)}\n`);
      return waitForAnswer(stem, request, { pollMs, signal });
    },
  };
}

async function highestNumber(folder: string): Promise<number> {
  makeFolder(folder);
  const numbers = (await readdir(folder)).map(
    (name) => /^round-(\d{3,6})\.request\.json$/.exec(name)?.[1],
  );
  return Math.max(0, ...numbers.map((digits) => Number(digits ?? 0)));
}

/** A reader never sees half a file. */
async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text);
  await rename(`${path}.part`, path);
}

async function waitForAnswer(
  stem: string,
  request: ConverseBody,
  { pollMs, signal }: { readonly pollMs: number; readonly signal: AbortSignal },
): Promise<BrainAnswer> {
  let before: string | null = null;
  let refused: string | null = null;
  while (!signal.aborted) {
    const text = await readAnswerFile(`${stem}.answer.json`);
    const isStill = text !== null && text === before;
    before = text;
    if (isStill && text !== refused) {
      const read = readByHandAnswer(text, request);
      if (read.kind === 'answer') {
        await rm(`${stem}.error.txt`, { force: true });
        return read.answer;
      }
      refused = text;
      await writeWhole(`${stem}.error.txt`, `${read.reason}\n`);
    }
    await sleep(pollMs);
  }
  return { kind: 'hang' }; // Nobody is there any more to be answered.
}

/** The text of an answer, null while there is none; a file too long reads as text that is no answer. */
async function readAnswerFile(path: string): Promise<string | null> {
  try {
    const { size } = await stat(path);
    return size > MAX_ANSWER_BYTES
      ? `more than ${MAX_ANSWER_BYTES} bytes`
      : await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
