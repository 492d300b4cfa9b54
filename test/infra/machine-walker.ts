import { createHash } from 'node:crypto';
import jsonata from 'jsonata';
import type { Definition, Retrier, State } from '../../infra/state-machines/asl.ts';

/** How the function answers one invocation. */
export type Answer =
  | { readonly payload: unknown }
  | { readonly error: string; readonly cause?: string };

export type Payload = Readonly<Record<string, unknown>>;

/** What an execution did. */
export interface Walk {
  readonly states: readonly string[];
  /** What the function was invoked with. */
  readonly invocations: readonly Payload[];
  /** Seconds of waiting and of retry intervals, without jitter. */
  readonly waitedSeconds: number;
  readonly end:
    | { readonly kind: 'succeeded'; readonly output: unknown }
    | { readonly kind: 'failed'; readonly error: unknown; readonly cause: unknown };
}

/** The parts of a definition that one walk follows. */
type Walkable = Pick<Definition, 'StartAt' | 'States'>;

interface Scope {
  readonly input: unknown;
  readonly context: unknown;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly errorOutput?: unknown;
}

/** Evaluates every expression of a template, with the functions that Step Functions adds to JSONata. */
export async function evaluate(template: unknown, scope: Scope): Promise<unknown> {
  if (Array.isArray(template)) return Promise.all(template.map((part) => evaluate(part, scope)));
  if (typeof template === 'object' && template !== null) {
    const parts = Object.entries(template).map(async ([key, part]) => [
      key,
      await evaluate(part, scope),
    ]);
    return Object.fromEntries(await Promise.all(parts));
  }
  const code = typeof template === 'string' ? /^\{%(.*)%\}$/s.exec(template)?.[1] : undefined;
  return code === undefined ? template : run(code, scope);
}

async function run(code: string, { variables, ...states }: Scope): Promise<unknown> {
  const expression = jsonata(code);
  expression.registerFunction('hash', (data: string, algorithm: string) =>
    createHash(algorithm.replace('-', '')).update(data).digest('hex'),
  );
  const value: unknown = await expression.evaluate({}, { ...variables, states });
  if (value === undefined) throw new Error(`the expression has no value: ${code}`);
  return JSON.parse(JSON.stringify(value)); // as Step Functions keeps it
}

/** Walks an execution from its input to its end, the function answering in the order given. */
export async function walk(
  definition: Walkable,
  { input, context, answers }: { input: unknown; context: unknown; answers: readonly Answer[] },
): Promise<Walk> {
  const walker = new Walker(definition, context, answers);
  return walker.walk(input);
}

class Walker {
  readonly #definition: Walkable;
  readonly #context: unknown;
  readonly #answers: Answer[];
  readonly #states: string[] = [];
  readonly #invocations: Payload[] = [];
  #variables: Record<string, unknown> = {};
  #waitedSeconds = 0;

  constructor(definition: Walkable, context: unknown, answers: readonly Answer[]) {
    this.#definition = definition;
    this.#context = context;
    this.#answers = [...answers];
  }

  async walk(input: unknown): Promise<Walk> {
    let current: { name: string; input: unknown } = { name: this.#definition.StartAt, input };
    for (;;) {
      const state = this.#definition.States[current.name];
      if (state === undefined) throw new Error(`no state ${current.name}`);
      this.#states.push(current.name);
      if (state.Type === 'Succeed' || state.Type === 'Fail') return this.#end(state, current.input);
      current = await this.#step(state, current.input);
    }
  }

  async #step(state: State, input: unknown): Promise<{ name: string; input: unknown }> {
    switch (state.Type) {
      case 'Pass':
        this.#variables = { ...this.#variables, ...(await this.#assigned(state.Assign, input)) };
        return { name: nextOf(state), input };
      case 'Wait':
        this.#waitedSeconds += state.Seconds;
        return { name: state.Next, input };
      case 'Choice':
        for (const { Condition, Next } of state.Choices) {
          const holds = await evaluate(Condition, this.#scope(input));
          if (typeof holds !== 'boolean') throw new Error(`no boolean: ${Condition}`);
          if (holds) return { name: Next, input };
        }
        return { name: state.Default, input };
      case 'Task':
        return this.#task(state, input);
      default:
        throw new Error(`can't walk ${state.Type}`);
    }
  }

  async #task(
    state: Extract<State, { Type: 'Task' }>,
    input: unknown,
  ): Promise<{ name: string; input: unknown }> {
    const attempts = new Map<Retrier, number>();
    for (;;) {
      const answer = await this.#invoke(state, input);
      if ('payload' in answer) {
        const result = { Payload: answer.payload };
        return {
          name: state.Next,
          input: await evaluate(state.Output, { ...this.#scope(input), result }),
        };
      }
      if (this.#retries(state.Retry, attempts, answer.error)) continue;
      const catcher = state.Catch.find(({ ErrorEquals }) => matches(ErrorEquals, answer.error));
      if (catcher === undefined) throw new Error(`nothing catches ${answer.error}`);
      const errorOutput = { Error: answer.error, Cause: answer.cause ?? '' };
      return {
        name: catcher.Next,
        input: await evaluate(catcher.Output, { ...this.#scope(input), errorOutput }),
      };
    }
  }

  /** Counts the retry and its interval, or says that there is none left. */
  #retries(retriers: readonly Retrier[], attempts: Map<Retrier, number>, error: string): boolean {
    const retrier = retriers.find(({ ErrorEquals }) => matches(ErrorEquals, error));
    if (retrier === undefined) return false;
    const made = attempts.get(retrier) ?? 0;
    if (made >= retrier.MaxAttempts) return false;
    attempts.set(retrier, made + 1);
    const interval = retrier.IntervalSeconds * retrier.BackoffRate ** made;
    this.#waitedSeconds += Math.min(interval, retrier.MaxDelaySeconds ?? Number.POSITIVE_INFINITY);
    return true;
  }

  async #invoke(state: Extract<State, { Type: 'Task' }>, input: unknown): Promise<Answer> {
    const { Payload } = (await evaluate(state.Arguments, this.#scope(input))) as {
      Payload: Payload;
    }; // the arguments of lambda:invoke
    this.#invocations.push(Payload);
    const [answer] = this.#answers;
    if (answer === undefined) throw new Error('no answer is left');
    if (this.#answers.length > 1) this.#answers.shift(); // the last one is given again
    return answer;
  }

  async #end(state: Extract<State, { Type: 'Succeed' | 'Fail' }>, input: unknown): Promise<Walk> {
    const scope = this.#scope(input);
    const account = {
      states: this.#states,
      invocations: this.#invocations,
      waitedSeconds: this.#waitedSeconds,
    };
    if (state.Type === 'Succeed') {
      const output = await evaluate(state.Output, scope);
      return { ...account, end: { kind: 'succeeded', output } };
    }
    const [error, cause] = await Promise.all([
      evaluate(state.Error, scope),
      evaluate(state.Cause, scope),
    ]);
    return { ...account, end: { kind: 'failed', error, cause } };
  }

  async #assigned(template: unknown, input: unknown): Promise<Record<string, unknown>> {
    return (await evaluate(template, this.#scope(input))) as Record<string, unknown>; // an object's template
  }

  #scope(input: unknown): Scope {
    return { input, context: this.#context, variables: this.#variables };
  }
}

function matches(errors: readonly string[], error: string): boolean {
  return errors.includes(error) || errors.includes('States.ALL');
}

function nextOf(state: { readonly Next: string } | { readonly End: true }): string {
  if ('Next' in state) return state.Next;
  throw new Error('the state ends');
}
