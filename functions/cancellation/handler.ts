import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { CancellationAnswer } from '../../shared/contracts/cancellation.ts';
import { askToStop } from './ask-to-stop.ts';
import { composeCancellation } from './composition.ts';

const logger = new Logger({ serviceName: 'cancellation' });
const parts = composeCancellation();

/** Kept back from the Lambda's own end, so that a record that does not answer is an error of ours; milliseconds. */
const ANSWERING_RESERVE_MS = 500;

/** The Lambda entry: asks one run to stop. */
export const handler = middy()
  .use(injectLambdaContext(logger, { clearState: true }))
  .handler(async (event: unknown, context: Context): Promise<CancellationAnswer> => {
    const withinMs = context.getRemainingTimeInMillis() - ANSWERING_RESERVE_MS;
    const answer = await askToStop(parts, event, AbortSignal.timeout(Math.max(1, withinMs)));
    logger.info('asked to stop', { run_id: answer.run_id, answer: answer.answer });
    return answer;
  });
