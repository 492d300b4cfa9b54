import { expect, it } from 'vitest';
import { project, rawLogs } from './projected-logs.ts';

function factsOf(texts: readonly string[], maxBodyBytes?: number): readonly string[] {
  return project(rawLogs(texts), maxBodyBytes).facts;
}

function repeated(count: number, textOf: (at: number) => string): string[] {
  return Array.from({ length: count }, (_none, at) => textOf(at));
}

it('are events of the worst patterns with their values, then how often the worst happened', () => {
  const facts = factsOf([
    'ERROR node 2 could not be reached',
    ...repeated(30, (at) => `ERROR lock wait timeout payment=P${at} waited=40001`),
    ...repeated(60, (at) => `WARN channel slow cost=${at}`),
    ...repeated(90, (at) => `INFO order ${at} paid`),
  ]);

  expect(facts).toEqual([
    '2026-11-30T09:00:00.000Z ERROR node 2 could not be reached',
    '2026-11-30T09:00:01.000Z ERROR lock wait timeout payment=P0 waited=40001',
    '30× ERROR lock wait timeout payment=<*> waited=40001',
  ]);
});

it('are not events that read alike', () => {
  const facts = factsOf([
    ...repeated(9, (at) => `ERROR lock wait timeout payment=P${at}`),
    ...repeated(9, (at) => `ERROR lock wait timeout payment=P${at} | a.b.LockException: lost`),
    'WARN channel slow cost=17',
  ]);

  expect(facts.map((fact) => fact.replace(/^\S+Z /, ''))).toEqual([
    expect.stringContaining('ERROR lock wait timeout payment=P0'),
    'WARN channel slow cost=17',
    expect.stringMatching(/^9× ERROR/),
  ]);
});

it('are changes with a value, the newest first, where nothing failed', () => {
  const facts = factsOf([
    ...repeated(40, (at) => `INFO heartbeat ${at} seen`),
    'INFO released service=search version=v3',
    'INFO application is up',
    'INFO batch begins chunkSize=25000',
    'INFO listening host=10.0.0.1',
  ]);

  expect(facts).toEqual([
    '2026-11-30T09:00:42.000Z INFO batch begins chunkSize=25000',
    '2026-11-30T09:00:40.000Z INFO released service=search version=v3',
    '40× INFO heartbeat <*> seen',
  ]);
});

it('are three events where everything happened once', () => {
  expect(factsOf(['ERROR lost a=1', 'WARN slow b=2', 'INFO begun c=3', 'INFO done'])).toEqual([
    '2026-11-30T09:00:00.000Z ERROR lost a=1',
    '2026-11-30T09:00:01.000Z WARN slow b=2',
    '2026-11-30T09:00:02.000Z INFO begun c=3',
  ]);
});

it('are only what the body has room for', () => {
  const texts = repeated(50, (at) => `ERROR lost payment=P${at}`);

  const { body, facts } = project(rawLogs(texts), 330);

  const lines = [...body.events, ...body.patterns.map(({ line }) => line)];
  expect(facts.length).toBeGreaterThan(0);
  expect(facts.filter((fact) => !lines.some((line) => line.startsWith(fact)))).toEqual([]);
});
