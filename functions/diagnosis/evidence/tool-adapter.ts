import type { Bindings } from '../../../shared/contracts/diagnosis-request.ts';
import type { ErrorCode, SourceKind, Window } from '../../../shared/contracts/observation.ts';
import type { Executed } from '../../../shared/contracts/step.ts';

/** What an adapter may know of the run beside its input. */
export interface CallContext {
  /** Aborts at the tool's timeout, the deadline, a cancel; its own `reason` says which. */
  readonly signal: AbortSignal;
  /** The instant every evidence window ends at; milliseconds since the epoch. */
  readonly asOf: number;
  /** Values the caller fixed and the model may neither set nor see. */
  readonly bindings: Bindings;
  /** Disposed of when the run is over, however it ends: for what an adapter holds for one run. */
  readonly atRunEnd: AsyncDisposableStack;
}

/** Errors that a source or its adapter can end in; the other codes are the boundary's. */
export type AdapterErrorCode = Exclude<
  ErrorCode,
  'INVALID_INPUT' | 'UNKNOWN_TOOL' | 'TOOL_TIMEOUT' | 'RAW_MALFORMED'
>;

/** What a source answered: the exact bytes to keep, or a stable code. Never the vendor's words. */
export type AdapterResult =
  | {
      readonly kind: 'result';
      /** The whole answer, complete in itself: a projector needs nothing beside it. */
      readonly raw: Uint8Array;
      readonly sourceKind: SourceKind;
      readonly window: Window | null;
      readonly executed: Executed;
    }
  | {
      readonly kind: 'failed';
      readonly code: AdapterErrorCode;
      readonly executed: Executed | null;
    };

/**
 * Talks to one data source. Does not retry, does not redact, does not cut: a result too large is
 * `RAW_TOO_LARGE`. May throw: the boundary turns an aborted signal into `TOOL_TIMEOUT` and anything
 * else into `SOURCE_FAILED`.
 */
export interface ToolAdapter<Input> {
  call(input: Input, context: CallContext): Promise<AdapterResult>;
}
