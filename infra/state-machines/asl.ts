// Amazon States Language with JSONata, as far as the two machines use it
// (docs.aws.amazon.com/step-functions/latest/dg/concepts-amazon-states-language.html).

/** Literal values and `{% … %}` expressions. */
export type Template = string | number | boolean | null | readonly Template[] | TemplateObject;
export interface TemplateObject {
  readonly [key: string]: Template;
}

export interface Retrier {
  readonly ErrorEquals: readonly string[];
  readonly IntervalSeconds: number;
  readonly MaxAttempts: number;
  readonly BackoffRate: number;
  readonly MaxDelaySeconds?: number;
  readonly JitterStrategy?: 'FULL';
}

export interface Catcher {
  readonly ErrorEquals: readonly string[];
  readonly Next: string;
  readonly Output: string;
}

interface Common {
  readonly Comment?: string;
}
type Onward = { readonly Next: string } | { readonly End: true };

export type State =
  | (Common & Onward & { readonly Type: 'Pass'; readonly Assign: TemplateObject })
  | (Common & {
      readonly Type: 'Task';
      readonly Resource: string;
      readonly Arguments: TemplateObject;
      readonly Output: string;
      readonly TimeoutSeconds: number;
      readonly Retry: readonly Retrier[];
      readonly Catch: readonly Catcher[];
      readonly Next: string;
    })
  | (Common & {
      readonly Type: 'Choice';
      readonly Choices: readonly { readonly Condition: string; readonly Next: string }[];
      readonly Default: string;
    })
  | (Common & { readonly Type: 'Wait'; readonly Seconds: number; readonly Next: string })
  | (Common & { readonly Type: 'Succeed'; readonly Output: TemplateObject })
  | (Common & { readonly Type: 'Fail'; readonly Error: string; readonly Cause: string })
  | (Common &
      Onward & {
        readonly Type: 'Map';
        readonly Label: string;
        readonly MaxConcurrency: number;
        readonly ToleratedFailurePercentage: number;
        readonly ItemReader: TemplateObject;
        readonly ItemSelector: TemplateObject;
        readonly ItemProcessor: Processor;
        readonly ResultWriter: TemplateObject;
        readonly Output: TemplateObject;
      });

interface Processor {
  readonly ProcessorConfig: { readonly Mode: 'DISTRIBUTED'; readonly ExecutionType: 'STANDARD' };
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
}

export interface Definition {
  readonly Comment: string;
  readonly QueryLanguage: 'JSONata';
  readonly StartAt: string;
  readonly TimeoutSeconds?: number;
  readonly States: Readonly<Record<string, State>>;
}
