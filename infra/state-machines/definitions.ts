import type { Definition } from './asl.ts';
import { diagnosisStates, FIRST_STATE, runIdOf } from './diagnosis-states.ts';

/** Two runs with all their waiting take less. */
const ONE_TIMEOUT_SECONDS = 7_200;

const EXECUTION_NAME = '$states.context.Execution.Name';

/** Where batches lie in their bucket. */
export const BATCH_PREFIX = { requests: 'requests/', results: 'results/' } as const;

/** The map state's label; it stands in the ARNs of the executions for each item. */
export const MAP_LABEL = 'each';

/** One diagnosis: the input is a request, the execution's name its run id. */
export function oneDefinition(aliasArn: string): Definition {
  return {
    Comment: 'One diagnosis',
    QueryLanguage: 'JSONata',
    StartAt: FIRST_STATE,
    TimeoutSeconds: ONE_TIMEOUT_SECONDS,
    States: diagnosisStates({ aliasArn, request: '$states.input', name: EXECUTION_NAME }),
  };
}

/** What the machine for many diagnoses works with. */
export interface ManyOptions {
  readonly aliasArn: string;
  readonly bucket: string;
  readonly maxConcurrency: number;
}

/**
 * Many diagnoses: the input names a file of requests, one JSON object a line. An execution has one map
 * run, so that the execution's name and the line's index make run ids that a redrive finds again.
 */
export function manyDefinition({ aliasArn, bucket, maxConcurrency }: ManyOptions): Definition {
  return {
    Comment: 'Many diagnoses',
    QueryLanguage: 'JSONata',
    StartAt: 'Diagnose each',
    States: {
      'Diagnose each': {
        Type: 'Map',
        Label: MAP_LABEL,
        MaxConcurrency: maxConcurrency,
        ToleratedFailurePercentage: 100,
        ItemReader: {
          Resource: 'arn:aws:states:::s3:getObject',
          ReaderConfig: { InputType: 'JSONL' },
          Arguments: { Bucket: bucket, Key: '{% $states.input.key %}' },
        },
        ItemSelector: {
          name: `{% ${runIdOf(EXECUTION_NAME)} & '-' & $string($states.context.Map.Item.Index) %}`,
          request: '{% $states.context.Map.Item.Value %}',
        },
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
          StartAt: FIRST_STATE,
          States: diagnosisStates({
            aliasArn,
            request: '$states.input.request',
            name: '$states.input.name',
          }),
        },
        ResultWriter: {
          Resource: 'arn:aws:states:::s3:putObject',
          Arguments: {
            Bucket: bucket,
            Prefix: `{% '${BATCH_PREFIX.results}' & ${runIdOf(EXECUTION_NAME)} %}`,
          },
        },
        Output: {
          map_run: '{% $states.result.MapRunArn %}',
          manifest: '{% $states.result.ResultWriterDetails %}',
        },
        End: true,
      },
    },
  };
}
