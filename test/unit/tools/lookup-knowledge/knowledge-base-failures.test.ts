import { describe, expect, it, vi } from 'vitest';
import { anAdapter, resultsOf } from './a-knowledge-base.ts';

describe('a failure of a knowledge base', () => {
  it.each([
    ['ThrottlingException', 429, 'SOURCE_THROTTLED'],
    ['ServiceQuotaExceededException', 400, 'SOURCE_THROTTLED'],
    ['AccessDeniedException', 403, 'SOURCE_DENIED'],
    ['UnrecognizedClientException', 403, 'SOURCE_DENIED'],
    ['ExpiredTokenException', 403, 'SOURCE_DENIED'],
    ['ConflictException', 409, 'SOURCE_FAILED'],
    ['ResourceNotFoundException', 404, 'SOURCE_FAILED'],
    ['ValidationException', 400, 'SOURCE_FAILED'],
    ['DependencyFailedException', 424, 'SOURCE_UNAVAILABLE'],
    ['BadGatewayException', 502, 'SOURCE_UNAVAILABLE'],
    ['InternalServerException', 500, 'SOURCE_UNAVAILABLE'],
    ['SomethingNewException', 503, 'SOURCE_UNAVAILABLE'],
    ['SomethingNewException', 418, 'SOURCE_FAILED'],
  ] as const)(
    '%s (%i) is %s, after one request and without its words',
    async (name, status, code) => {
      const { ask, server, faults } = await anAdapter({ kind: 'error', name, status });

      const result = await ask();

      expect(result).toMatchObject({ kind: 'failed', code });
      expect(server.requests).toHaveLength(1);
      expect(faults).toEqual([name]);
      expect(JSON.stringify([result, faults])).not.toMatch(/canary|123456789012|127\.0\.0\.1/);
    },
  );

  it('is SOURCE_UNAVAILABLE where the service hangs up', async () => {
    const { ask, server } = await anAdapter({ kind: 'hang_up' });

    expect(await ask()).toMatchObject({ kind: 'failed', code: 'SOURCE_UNAVAILABLE' });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['a page instead of JSON', 200, 'SOURCE_FAILED'],
    ['a page of a proxy in trouble', 502, 'SOURCE_UNAVAILABLE'],
  ] as const)('is a stable code for %s', async (_what, status, code) => {
    const { ask } = await anAdapter({ kind: 'text', status, text: '<html>' });

    expect(await ask()).toMatchObject({ kind: 'failed', code });
  });

  it('is SOURCE_UNAVAILABLE where nobody listens', async () => {
    const { ask } = await anAdapter(resultsOf([]), { endpoint: 'http://127.0.0.1:1' });

    expect(await ask()).toMatchObject({ kind: 'failed', code: 'SOURCE_UNAVAILABLE' });
  });

  it('ends the request at once when the call is cut off', async () => {
    const { ask, server, faults } = await anAdapter({ kind: 'silence' });
    const controller = new AbortController();

    const asked = ask(controller.signal).catch((error: unknown) => error);
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    controller.abort('cut off');

    expect(await asked).toBe('cut off');
    await vi.waitFor(() => expect(server.requests[0]?.wasAborted).toBe(true));
    expect(faults).toEqual([]);
  });

  it('sends nothing for a call that is over before it begins', async () => {
    const { ask, server } = await anAdapter(resultsOf([]));

    await expect(ask(AbortSignal.abort('over'))).rejects.toBe('over');
    expect(server.requests).toEqual([]);
  });
});
