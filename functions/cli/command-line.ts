import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { HarnessError } from '../../shared/kernel/errors.ts';

const MODEL_KINDS = ['offline', 'bedrock', 'by-hand'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

/** What a person asked of the terminal. `dataFolder` is where runs are kept. */
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
  /** Name of a shipped incident, a folder, or its incident.json. */
  readonly incident: string;
  readonly query: string | null;
  /** A kept run to follow up, or a file with the turn before. */
  readonly follow: string | null;
  readonly previousTurnFile: string | null;
  readonly isJson: boolean;
  readonly model: ModelKind;
  readonly modelId: string | null;
  /** Where the by-hand model leaves its questions; null for a folder of the run's own. */
  readonly handFolder: string | null;
  readonly dataFolder: string;
}

const OPTIONS = {
  incident: { type: 'string' },
  query: { type: 'string' },
  follow: { type: 'string' },
  'previous-turn': { type: 'string' },
  json: { type: 'boolean' },
  model: { type: 'string' },
  'model-id': { type: 'string' },
  folder: { type: 'string' },
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Option = keyof typeof OPTIONS;
type Values = ReturnType<typeof parsed>['values'];

const DEFAULT_DATA = fileURLToPath(new URL('../../.diagnosis', import.meta.url));

/**
 * Reads the arguments of a call.
 *
 * @throws HarnessError `USAGE` saying which argument is wrong
 */
export function parseCommandLine(args: readonly string[]): Command {
  const { values, positionals } = parsed(args);
  const [verb, ...rest] = positionals;
  if (values.help === true || verb === 'help') return { kind: 'help' };
  if (values.data === '') throw usage('--data takes a folder');
  const dataFolder = values.data ?? DEFAULT_DATA;
  switch (verb) {
    case undefined:
      return diagnoseCommand(values, dataFolder);
    case 'runs':
      allow(values, verb, ['data']);
      if (rest.length > 0) throw usage('runs takes no argument');
      return { kind: 'runs', dataFolder };
    case 'show': {
      allow(values, verb, ['data', 'json']);
      const isJson = values.json ?? false;
      return { kind: 'show', runId: theOne(rest, verb), isJson, dataFolder };
    }
    case 'record':
      allow(values, verb, ['data']);
      return { kind: 'record', runId: theOne(rest, verb), dataFolder };
    case 'verify':
      allow(values, verb, ['data']);
      return { kind: 'verify', subject: theOne(rest, verb), dataFolder };
    default:
      throw usage(
        `there is no command "${verb}"; there are runs, show RUN_ID, record RUN_ID and verify FILE|RUN_ID`,
      );
  }
}

/** An option that would be passed over in silence is refused. */
function allow(values: Values, verb: string, allowed: readonly Option[]): void {
  const given = Object.keys(values) as Option[]; // parseArgs knows no others
  const stray = given.find((option) => !allowed.includes(option));
  if (stray !== undefined) throw usage(`${verb} does not take --${stray}`);
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

function diagnoseCommand(values: Values, dataFolder: string): DiagnoseCommand {
  refuseHalfAFollowUp(values);
  return {
    kind: 'diagnose',
    incident: values.incident ?? 'payment-timeout',
    query: values.query ?? null,
    follow: values.follow ?? null,
    previousTurnFile: values['previous-turn'] ?? null,
    isJson: values.json ?? false,
    model: modelOf(values),
    modelId: values['model-id'] ?? null,
    handFolder: values.folder ?? null,
    dataFolder,
  };
}

function refuseHalfAFollowUp({ follow, query, 'previous-turn': previousTurn }: Values): void {
  if (follow === undefined) return;
  if (previousTurn !== undefined) throw usage('--follow and --previous-turn exclude each other');
  if (query === undefined) throw usage('--follow needs --query, the new question');
}

function modelOf({ model: asked = 'offline', 'model-id': modelId, folder }: Values): ModelKind {
  const model = MODEL_KINDS.find((kind) => kind === asked);
  if (model === undefined) throw usage(`--model takes ${MODEL_KINDS.join(', ')}, not "${asked}"`);
  if (model === 'bedrock' && modelId === undefined) {
    throw usage('--model bedrock needs --model-id, a model id or an inference profile');
  }
  if (model !== 'bedrock' && modelId !== undefined)
    throw usage('--model-id goes with --model bedrock');
  if (model !== 'by-hand' && folder !== undefined)
    throw usage('--folder goes with --model by-hand');
  return model;
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
