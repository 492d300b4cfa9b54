import type { ScopeNote, Window } from '../../../shared/contracts/observation.ts';
import type { RedactedText, Redactor } from '../../../shared/redaction/redactor.ts';

/** What a projector works with beside the raw bytes. */
export interface ProjectionRequest<Input> {
  /** The input as the model asked, marks in place. */
  readonly input: Input;
  readonly window: Window | null;
  /** The redactor of this run; every string of a source goes through it. */
  readonly redactor: Redactor;
  /** UTF-8 bytes that `JSON.stringify(body)` may take. */
  readonly maxBodyBytes: number;
}

/** The bounded, redacted result, or the verdict that the raw bytes are not what they should be. */
export type Projection<Body> =
  | {
      readonly kind: 'projected';
      readonly evidenceStatus: 'EVIDENCE_FOUND' | 'NO_EVIDENCE';
      readonly notes: readonly ScopeNote[];
      /** True if and only if something that matched is not in the body. */
      readonly truncated: boolean;
      readonly body: Body;
      /** Quotable strings of the body, word for word: at most 3 of at most 300 UTF-8 bytes. */
      readonly facts: readonly RedactedText[];
    }
  | { readonly kind: 'malformed' };

/**
 * Makes the bounded whitelisted result out of the raw one. A pure function of the raw bytes, the
 * request and the redactor's state: same input, same bytes.
 */
export interface ResultProjector<Input, Body> {
  project(raw: Uint8Array, request: ProjectionRequest<Input>): Projection<Body>;
}
