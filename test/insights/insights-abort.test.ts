import { describe, expect, it } from 'vitest';
import type { InsightsAction, InsightsTrouble } from '../support/insights-server.ts';
import { anEvent, anInsightsRun } from './an-insights-call.ts';

const EVENTS = [anEvent(20, 'ERROR lost'), anEvent(10, 'INFO kept')];

function troubleOf(action: InsightsAction, trouble: InsightsTrouble) {
  return (request: { readonly action: InsightsAction }) =>
    request.action === action ? trouble : undefined;
}

describe('an abort', () => {
  const reason = new Error('time is up');

  it('before the call starts nothing', async () => {
    const { ask, server } = await anInsightsRun();

    await expect(ask({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });

  it('while the queries start stops them as soon as they have an id', async () => {
    const started = Promise.withResolvers<void>();
    const trouble = troubleOf('StartQuery', { kind: 'late', until: started.promise });
    const { ask, server } = await anInsightsRun({ script: { trouble } });
    const abort = new AbortController();
    const coming = server.nextRequest('StartQuery');
    const asked = ask({ signal: abort.signal });
    await coming;

    abort.abort(reason);
    started.resolve();

    await expect(asked).rejects.toBe(reason);
    expect(server.stopped.toSorted()).toEqual(server.queries.map(({ queryId }) => queryId));
    expect(server.requestsOf('GetQueryResults')).toEqual([]);
  });

  it('while a look is under way stops both queries', async () => {
    const trouble = troubleOf('GetQueryResults', { kind: 'silence' });
    const { ask, server } = await anInsightsRun({ script: { trouble } });
    const abort = new AbortController();
    const coming = server.nextRequest('GetQueryResults');
    const asked = ask({ signal: abort.signal });
    await coming;

    abort.abort(reason);

    await expect(asked).rejects.toBe(reason);
    expect(server.stopped.toSorted()).toEqual(['query-1', 'query-2']);
  });

  it('between two looks stops both queries', async () => {
    const look = () => ({ status: 'Running' as const });
    const { ask, server } = await anInsightsRun({ script: { look }, pollMs: 60_000 });
    const abort = new AbortController();
    const coming = server.nextRequest('GetQueryResults');
    const asked = ask({ signal: abort.signal });
    await coming;

    abort.abort(reason);

    await expect(asked).rejects.toBe(reason);
    expect(server.stopped.toSorted()).toEqual(['query-1', 'query-2']);
  });

  it('between two pages ends the call; a complete query is not stopped', async () => {
    const trouble = ({ action, body }: { action: InsightsAction; body: unknown }) =>
      action === 'GetQueryResults' && JSON.stringify(body).includes('nextToken')
        ? ({ kind: 'silence' } as const)
        : undefined;
    const { ask, server } = await anInsightsRun({
      script: { events: EVENTS, pageRows: 1, trouble },
    });
    const abort = new AbortController();
    const asked = ask({ signal: abort.signal });
    const coming = async () => {
      while (!JSON.stringify(server.requests).includes('nextToken')) {
        await server.nextRequest('GetQueryResults');
      }
    };
    await coming();

    abort.abort(reason);

    await expect(asked).rejects.toBe(reason);
    const sample = server.queries.find(({ isSample }) => isSample);
    expect(server.stopped).not.toContain(sample?.queryId);
  });

  it('while a whole event is fetched ends the call', async () => {
    const trouble = troubleOf('GetLogRecord', { kind: 'silence' });
    const script = { events: EVENTS, messageChars: 3, trouble };
    const { ask, server, faults } = await anInsightsRun({ script });
    const abort = new AbortController();
    const coming = server.nextRequest('GetLogRecord');
    const asked = ask({ signal: abort.signal });
    await coming;

    abort.abort(reason);

    await expect(asked).rejects.toBe(reason);
    expect({ stopped: server.stopped, faults }).toEqual({ stopped: [], faults: [] });
  });

  it('is not held up by a query that has already ended', async () => {
    const { ask, server, faults } = await anInsightsRun({
      script: {
        look: () => ({ status: 'Running' as const }),
        trouble: troubleOf('StopQuery', { kind: 'error', name: 'InvalidParameterException' }),
      },
    });
    const abort = new AbortController();
    const coming = server.nextRequest('GetQueryResults');
    const asked = ask({ signal: abort.signal });
    await coming;

    abort.abort(reason);

    await expect(asked).rejects.toBe(reason);
    expect({ stops: server.requestsOf('StopQuery').length, faults }).toEqual({
      stops: 2,
      faults: [],
    });
  });
});
