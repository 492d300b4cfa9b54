import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { composeLambda } from './composition.ts';
import { diagnose } from './diagnose.ts';

const logger = new Logger({ serviceName: 'diagnosis' });
const parts = await composeLambda((fault) => logger.warn('fault', { fault }));

/** The Lambda entry: one event, one outcome. Logs ids, codes and counts; never a text of the run. */
export const handler = middy()
  .use(injectLambdaContext(logger, { clearState: true }))
  .handler(async (event: unknown, context: Context): Promise<DiagnosisOutcome> => {
    const outcome = await diagnose(parts, {
      event,
      requestId: context.awsRequestId,
      remainingMs: context.getRemainingTimeInMillis(),
      cancel: null,
    });
    logger.info('diagnosed', accountOf(outcome));
    return outcome;
  });

function accountOf({ run_id, session_id, status, stop_reason, failure, usage }: DiagnosisOutcome) {
  return { run_id, session_id, status, stop_reason, failure, usage };
}
