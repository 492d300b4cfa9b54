import { nameOf } from '../../../../shared/kernel/errors.ts';
import type { InsightsClient } from './insights-client.ts';
import { cleaned, type SampledEvent } from './insights-rows.ts';

/** Requests for whole events in one call; the first of the sample are what it is about. */
const MAX_RECORDS = 10;

/** What whole events are fetched with. */
export interface WholeTextParts {
  readonly client: InsightsClient;
  readonly reportFault: (fault: { readonly name: string }) => void;
  readonly signal: AbortSignal;
}

/**
 * The events with the first cut ones made whole, one request after the other. An event that can't be
 * had stays cut and says so; after the first refusal no other is asked for.
 *
 * @throws the signal's reason once it is aborted
 */
export async function withWholeTexts(
  events: readonly SampledEvent[],
  { client, reportFault, signal }: WholeTextParts,
): Promise<readonly SampledEvent[]> {
  const whole = new Map<SampledEvent, SampledEvent>();
  const cut = events.filter(({ isCut, pointer }) => isCut && pointer !== null);
  try {
    for (const event of cut.slice(0, MAX_RECORDS)) {
      const message = (await client.record(event.pointer ?? '', signal))['@message'];
      if (message === undefined || message.length <= event.text.length) continue;
      whole.set(event, { ...event, text: cleaned(message), isCut: false });
    }
  } catch (error) {
    signal.throwIfAborted();
    reportFault({ name: nameOf(error) });
  }
  return events.map((event) => whole.get(event) ?? event);
}
