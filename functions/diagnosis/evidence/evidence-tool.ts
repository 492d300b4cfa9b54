import type { EvidenceToolName } from '../../../shared/contracts/tool-inputs.ts';
import type { EvidenceBody } from './evidence-body.ts';
import type { Projection, ProjectionRequest, ResultProjector } from './result-projector.ts';
import type { AdapterResult, CallContext, ToolAdapter } from './tool-adapter.ts';

/** A tool input as plain JSON. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** Verdict on a business input: its paths begin with `input`, such as `input.topic`. */
export type CheckedInput<Input> =
  | { readonly kind: 'valid'; readonly input: Input }
  | { readonly kind: 'invalid'; readonly fields: readonly string[] };

/** What makes two calls of one tool ask the same. */
export interface Equivalence {
  /** Equal keys ask the same; key order, white space and ignored letter case are already taken out. */
  readonly key: string;
  /** For windows: two calls with equal keys are equivalent when these are within ten per cent. */
  readonly lookbackMinutes: number | null;
}

/** Everything one evidence tool consists of. */
export interface EvidenceToolDefinition<Input extends ToolInput, Body extends EvidenceBody> {
  readonly name: EvidenceToolName;
  /** What the model is told, in Chinese; names topics or queries, never limits of the run. */
  readonly description: string;
  readonly check: (input: unknown) => CheckedInput<Input>;
  readonly equivalence: (input: Input) => Equivalence;
  /** The input's own timeout in milliseconds, or null for the deployment's. */
  readonly timeoutMs: (input: Input) => number | null;
  readonly adapter: ToolAdapter<Input>;
  readonly projector: ResultProjector<Input, Body>;
}

/** One valid call, ready to run, its input type closed over. */
export interface PreparedCall {
  readonly toolName: EvidenceToolName;
  /** The input as the model asked, marks in place. */
  readonly asked: ToolInput;
  readonly equivalence: Equivalence;
  readonly timeoutMs: number | null;
  /** Runs the adapter on the asked input with every string put through `resolve`. */
  run(resolve: (text: string) => string, context: CallContext): Promise<AdapterResult>;
  project(
    raw: Uint8Array,
    request: Omit<ProjectionRequest<never>, 'input'>,
  ): Projection<EvidenceBody>;
}

/** An evidence tool as the harness sees it. */
export interface EvidenceTool {
  readonly name: EvidenceToolName;
  readonly description: string;
  prepare(input: unknown): CheckedInput<PreparedCall>;
}

/** Closes a definition over its input type. */
export function defineEvidenceTool<Input extends ToolInput, Body extends EvidenceBody>(
  definition: EvidenceToolDefinition<Input, Body>,
): EvidenceTool {
  const { name, description, check, equivalence, timeoutMs, adapter, projector } = definition;

  return {
    name,
    description,
    prepare(candidate) {
      const checked = check(candidate);
      if (checked.kind === 'invalid') return checked;
      const { input } = checked;
      return {
        kind: 'valid',
        input: {
          toolName: name,
          asked: input,
          equivalence: equivalence(input),
          timeoutMs: timeoutMs(input),
          run: (resolve, context) => adapter.call(mapStrings(input, resolve), context),
          project: (raw, request) => projector.project(raw, { ...request, input }),
        },
      };
    },
  };
}

/** The same JSON value with every string (not the keys) put through `change`. */
export function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
  return mapped(value, change) as Value; // Only string leaves change, so the shape is the same.
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((member) => mapped(member, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, mapped(member, change)]),
  );
}
