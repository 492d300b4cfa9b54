import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { manyDefinition } from '../../infra/state-machines/definitions.ts';
import event from '../events/diagnosis.json' with { type: 'json' };
import { evaluate, walk } from './machine-walker.ts';
import { completed } from './outcomes.ts';

const many = manyDefinition({ aliasArn: 'alias', bucket: 'batches', maxConcurrency: 5 });
const each = many.States['Diagnose each'];

describe('many diagnoses', () => {
  if (each?.Type !== 'Map') throw new Error('Diagnose each is a map');
  const selection = (name: string, Index: number, Value: unknown) =>
    evaluate(each.ItemSelector, {
      input: { key: 'requests/monday.jsonl' },
      context: { Execution: { Name: name }, Map: { Item: { Index, Value } } },
      variables: {},
    });

  it('reads the file that the input names and caps its concurrency', async () => {
    const reader = await evaluate(each.ItemReader, {
      input: { key: 'requests/monday.jsonl' },
      context: {},
      variables: {},
    });

    expect(reader).toEqual({
      Resource: 'arn:aws:states:::s3:getObject',
      ReaderConfig: { InputType: 'JSONL' },
      Arguments: { Bucket: 'batches', Key: 'requests/monday.jsonl' },
    });
    expect([each.MaxConcurrency, each.ItemProcessor.ProcessorConfig]).toEqual([
      5,
      { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    ]);
  });

  it('names each run by the execution and the line', async () => {
    const item = await selection('monday', 41, event);

    const { invocations, end } = await walk(each.ItemProcessor, {
      input: item,
      context: { Execution: { Name: 'a-name-of-its-own' } },
      answers: [{ payload: completed('monday-41') }],
    });
    expect(invocations).toEqual([{ ...event, run_id: 'monday-41', session_id: 'monday-41' }]);
    expect(end).toMatchObject({ kind: 'succeeded', output: { run_ids: ['monday-41'] } });
  });

  it('hashes the name of an execution that is no run id', async () => {
    const item = await selection('星期一', 0, event);

    const hashed = createHash('sha256').update('星期一').digest('hex');
    expect(item).toEqual({ name: `x-${hashed}-0`, request: event });
  });

  it('goes on when an item fails, and leaves a manifest by the name of the execution', async () => {
    const writer = await evaluate(each.ResultWriter, {
      input: {},
      context: { Execution: { Name: 'monday' } },
      variables: {},
    });
    const output = await evaluate(each.Output, {
      input: {},
      context: {},
      variables: {},
      result: {
        MapRunArn: 'arn',
        ResultWriterDetails: { Bucket: 'batches', Key: 'manifest.json' },
      },
    });

    expect(each.ToleratedFailurePercentage).toBe(100);
    expect(writer).toMatchObject({ Arguments: { Bucket: 'batches', Prefix: 'results/monday' } });
    expect(output).toEqual({
      map_run: 'arn',
      manifest: { Bucket: 'batches', Key: 'manifest.json' },
    });
  });
});
