import { describe, expect, it } from 'vitest';
import type { InsightsAction, InsightsTrouble } from '../support/insights-server.ts';
import { anEvent, anInsightsRun, textsOf } from './an-insights-call.ts';

const EVENTS = [anEvent(20, 'ERROR lost'), anEvent(10, 'INFO kept')];
const PARTIAL = [[{ field: '@message', value: 'partial-canary' }]];

function troubleOf(action: InsightsAction, trouble: InsightsTrouble) {
  return (request: { readonly action: InsightsAction }) =>
    request.action === action ? trouble : undefined;
}

describe('a query that takes its time', () => {
  it('is looked at until it is complete, and its partial rows are not used', async () => {
    const look = (_query: unknown, at: number) =>
      [
        { status: 'Scheduled' as const, results: [] },
        { status: 'Running' as const, results: PARTIAL },
      ][at] ?? {};
    const { ask, server } = await anInsightsRun({ script: { events: EVENTS, look } });

    const texts = textsOf(await ask());

    expect(texts).toEqual(['ERROR lost', 'INFO kept']);
    expect(server.requestsOf('GetQueryResults')).toHaveLength(6);
    expect(server.stopped).toEqual([]);
  });
});

describe('a query that ends otherwise', () => {
  it.each(['Failed', 'Timeout', 'Cancelled'] as const)(
    'is SOURCE_FAILED when it is %s, whatever rows it has; the other one is stopped',
    async (status) => {
      const { ask, server, faults } = await anInsightsRun({
        script: {
          events: EVENTS,
          look: ({ isSample }) =>
            isSample ? { status, results: PARTIAL } : { status: 'Running' as const },
        },
      });

      const result = await ask();

      expect(result).toMatchObject({ kind: 'failed', code: 'SOURCE_FAILED' });
      expect(server.stopped).toEqual(
        server.queries.filter(({ isSample }) => !isSample).map(({ queryId }) => queryId),
      );
      expect(faults).toEqual([`Query${status}`]);
    },
  );

  it('is SOURCE_FAILED when a later page is no longer complete', async () => {
    const { ask } = await anInsightsRun({
      script: {
        events: EVENTS,
        pageRows: 1,
        look: ({ isSample }, at) => (isSample && at === 1 ? { status: 'Running' as const } : {}),
      },
    });

    expect(await ask()).toMatchObject({ kind: 'failed', code: 'SOURCE_FAILED' });
  });
});

describe('an error of the service', () => {
  it.each([
    ['StartQuery', 'LimitExceededException', 400, 'SOURCE_THROTTLED'],
    ['StartQuery', 'ThrottlingException', 400, 'SOURCE_THROTTLED'],
    ['GetQueryResults', 'ThrottlingException', 400, 'SOURCE_THROTTLED'],
    ['StartQuery', 'AccessDeniedException', 400, 'SOURCE_DENIED'],
    ['GetQueryResults', 'AccessDeniedException', 400, 'SOURCE_DENIED'],
    ['StartQuery', 'UnrecognizedClientException', 400, 'SOURCE_DENIED'],
    ['StartQuery', 'ServiceUnavailableException', 500, 'SOURCE_UNAVAILABLE'],
    ['GetQueryResults', 'ServiceUnavailableException', 503, 'SOURCE_UNAVAILABLE'],
    ['StartQuery', 'MalformedQueryException', 400, 'SOURCE_FAILED'],
    ['StartQuery', 'ResourceNotFoundException', 400, 'SOURCE_FAILED'],
    ['GetQueryResults', 'ResourceNotFoundException', 400, 'SOURCE_FAILED'],
  ] as const)(
    'in %s, %s (%i), is %s, told once and never tried again',
    async (action, name, status, code) => {
      const trouble = troubleOf(action, { kind: 'error', name, status });
      const { ask, server, faults } = await anInsightsRun({ script: { events: EVENTS, trouble } });

      const result = await ask();

      expect(result).toMatchObject({ kind: 'failed', code });
      expect(JSON.stringify(result)).not.toContain('message-canary');
      expect(faults).toEqual([name]);
      expect(server.requestsOf('StartQuery')).toHaveLength(2);
      expect(server.requestsOf(action).length).toBeLessThanOrEqual(2);
    },
  );

  it('in one query stops the other', async () => {
    const { ask, server } = await anInsightsRun({
      script: {
        look: () => ({ status: 'Running' as const }),
        trouble: ({ action }, earlier) =>
          action === 'StartQuery' && earlier === 1
            ? { kind: 'error', name: 'LimitExceededException' }
            : undefined,
      },
    });

    const result = await ask();

    expect(result).toMatchObject({ kind: 'failed', code: 'SOURCE_THROTTLED' });
    expect(server.stopped).toEqual(['query-1']);
  });

  it('of a service that is not there is SOURCE_UNAVAILABLE', async () => {
    const { ask } = await anInsightsRun({ source: { endpoint: 'http://127.0.0.1:9' } });

    expect(await ask()).toMatchObject({ kind: 'failed', code: 'SOURCE_UNAVAILABLE' });
  });
});
