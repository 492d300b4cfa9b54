import { parseArgs } from 'node:util';
import { HarnessError } from '../../shared/kernel/errors.ts';

export const MODEL_KINDS = ['offline', 'bedrock', 'by-hand'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

/** What a person asked of the terminal. */
export type Command =
  | { readonly kind: 'help' }
  | DiagnoseCommand
  | { readonly kind: 'runs'; readonly dataFolder: string }
  | {
      readonly kind: 'show';
      readonly runId: string;
      readonly isJson: boolean;
      readonly dataFolder: string;
    }
  | { readonly kind: 'record'; readonly runId: string; readonly dataFolder: string }
  /** `subject` is an exported record's file or a run id. */
  | { readonly kind: 'verify'; readonly subject: string; readonly dataFolder: string };

export interface DiagnoseCommand {
  readonly kind: 'diagnose';
  /** Name of a shipped incident, or a folder. */
  readonly incident: string;
  readonly query: string | null;
  readonly previousTurnFile: string | null;
  readonly isJson: boolean;
  readonly model: ModelKind;
  readonly modelId: string | null;
  /** Where the by-hand model leaves its questions. */
  readonly handFolder: string;
  /** Where runs are kept. */
  readonly dataFolder: string;
}

const OPTIONS = {
  incident: { type: 'string', default: 'payment-timeout' },
  query: { type: 'string' },
  'previous-turn': { type: 'string' },
  json: { type: 'boolean', default: false },
  model: { type: 'string', default: 'offline' },
  'model-id': { type: 'string' },
  folder: { type: 'string' },
  data: { type: 'string', default: '.diagnosis' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Reads the arguments of a call.
 *
 * @throws HarnessError `USAGE` saying which argument is wrong
 */
export function parseCommandLine(args: readonly string[]): Command {
  const { values, positionals } = parsed(args);
  if (values.help) return { kind: 'help' };
  const [verb, ...rest] = positionals;
  const dataFolder = values.data;
  switch (verb) {
    case undefined:
      return diagnoseCommand(values);
    case 'runs':
      if (rest.length > 0) throw usage('runs takes no argument');
      return { kind: 'runs', dataFolder };
    case 'show':
      return { kind: 'show', runId: theOne(rest, verb), isJson: values.json, dataFolder };
    case 'record':
      return { kind: 'record', runId: theOne(rest, verb), dataFolder };
    case 'verify':
      return { kind: 'verify', subject: theOne(rest, verb), dataFolder };
    default:
      throw usage(
        `there is no command "${verb}"; there are runs, show RUN_ID, record RUN_ID and verify FILE|RUN_ID`,
      );
  }
}

/** The one argument of a command. */
function theOne([argument, ...more]: readonly string[], verb: keyof typeof ARGUMENT): string {
  if (argument === undefined || more.length > 0) throw usage(`${verb} takes ${ARGUMENT[verb]}`);
  return argument;
}

const ARGUMENT = {
  show: 'one run id',
  record: 'one run id',
  verify: 'one file or run id',
} as const;

type Values = ReturnType<typeof parsed>['values'];

function diagnoseCommand(values: Values): DiagnoseCommand {
  const model = MODEL_KINDS.find((kind) => kind === values.model);
  if (model === undefined)
    throw usage(`--model takes ${MODEL_KINDS.join(', ')}, not "${values.model}"`);
  const modelId = values['model-id'] ?? null;
  if (model === 'bedrock' && modelId === null) {
    throw usage('--model bedrock needs --model-id, a model id or an inference profile');
  }
  if (model !== 'bedrock' && modelId !== null) throw usage('--model-id goes with --model bedrock');
  return {
    kind: 'diagnose',
    incident: values.incident,
    query: values.query ?? null,
    previousTurnFile: values['previous-turn'] ?? null,
    isJson: values.json,
    model,
    modelId,
    handFolder: values.folder ?? `${values.data}/by-hand`,
    dataFolder: values.data,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (cause) {
    throw usage(
      cause instanceof Error ? firstSentence(cause.message) : 'the arguments are not readable',
      cause,
    );
  }
}

function firstSentence(message: string): string {
  return message.split('. ')[0] ?? message;
}

function usage(fault: string, cause?: unknown): HarnessError<'USAGE'> {
  return new HarnessError('USAGE', `${fault}; see --help`, { cause });
}
