import { describe, expect, it } from 'vitest';
import type { InsightsAction, InsightsTrouble } from '../support/insights-server.ts';
import { anEvent, anInsightsRun } from './an-insights-call.ts';

const EVENTS = [anEvent(20, 'ERROR lost'), anEvent(10, 'INFO kept')];
const PARTIAL = [[{ field: '@message', value: 'partial-canary' }]];

function troubleOf(action: InsightsAction, trouble: InsightsTrouble) {
  return (request: { readonly action: InsightsAction }) =>
    request.action === action ? trouble : undefined;
}

describe('the bytes that a run may scan', () => {
  it('end a query that passes them while it runs', async () => {
    const { ask, server } = await anInsightsRun({
      script: {
        look: ({ isSample }, at) => ({
          status: 'Running' as const,
          results: PARTIAL,
          statistics: { bytesScanned: isSample ? 0 : at * 400_000 },
        }),
      },
    });

    const result = await ask();

    expect(result).toMatchObject({ kind: 'failed', code: 'SCAN_LIMIT' });
    expect(server.stopped.toSorted()).toEqual(['query-1', 'query-2']);
  });

  it('are an error also where the last look shows them passed', async () => {
    const { ask } = await anInsightsRun({ script: { events: EVENTS, bytesScanned: 500_000 } });

    expect(await ask()).toMatchObject({ kind: 'failed', code: 'SCAN_LIMIT' });
  });

  it('count over the calls of a run: after them nothing is started', async () => {
    const { ask, server } = await anInsightsRun({
      script: { events: EVENTS, bytesScanned: 200_000 },
    });
    const codes: (string | undefined)[] = [];

    for (let call = 0; call < 4; call += 1) {
      const result = await ask();
      codes.push(result.kind === 'failed' ? result.code : result.kind);
    }

    expect(codes).toEqual(['result', 'result', 'SCAN_LIMIT', 'SCAN_LIMIT']);
    expect(server.requestsOf('StartQuery')).toHaveLength(6);
  });

  it('are those of one run only', async () => {
    const { ask } = await anInsightsRun({ script: { events: EVENTS, bytesScanned: 400_000 } });
    await ask();

    const other = await ask({}, new AsyncDisposableStack());

    expect(other.kind).toBe('result');
  });
});

describe('the queries of a run', () => {
  it('are two at most, also where one call was given up before the next', async () => {
    const released = Promise.withResolvers<void>();
    const { ask, server } = await anInsightsRun({
      script: {
        events: EVENTS,
        look: ({ queryId }) =>
          ['query-1', 'query-2'].includes(queryId) ? { status: 'Running' as const } : {},
        trouble: troubleOf('StopQuery', { kind: 'late', until: released.promise }),
      },
    });
    const abort = new AbortController();
    const coming = server.nextRequest('GetQueryResults');
    const givenUp = ask({ signal: abort.signal });
    await coming;
    const stopping = server.nextRequest('StopQuery');
    abort.abort(new Error('given up'));
    await stopping;

    const next = ask();
    released.resolve();

    await expect(givenUp).rejects.toThrow('given up');
    expect((await next).kind).toBe('result');
    expect(server.mostAtOnce).toBe(2);
  });

  it('are gone when the run has ended', async () => {
    const released = Promise.withResolvers<void>();
    const { ask, server, atRunEnd } = await anInsightsRun({
      script: {
        look: () => ({ status: 'Running' as const }),
        trouble: troubleOf('StopQuery', { kind: 'late', until: released.promise }),
      },
    });
    const abort = new AbortController();
    const coming = server.nextRequest('GetQueryResults');
    const asked = ask({ signal: abort.signal });
    await coming;
    abort.abort(new Error('cancelled'));

    const ending = atRunEnd.disposeAsync();
    released.resolve();
    await ending;

    expect(server.stopped.toSorted()).toEqual(['query-1', 'query-2']);
    await expect(asked).rejects.toThrow('cancelled');
  });
});
