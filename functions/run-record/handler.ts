import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { RecordAnswer } from '../../shared/contracts/record-page.ts';
import { answerReader } from './answer-reader.ts';
import { composeRunRecord } from './composition.ts';

const logger = new Logger({ serviceName: 'run-record' });
const parts = composeRunRecord();

/** Kept back from the Lambda's own end, so that a record that does not answer is an error of ours; milliseconds. */
const ANSWERING_RESERVE_MS = 500;

/** The Lambda entry: reads one run, or lists the runs of a session. Logs that it was asked, never what it read. */
export const handler = middy()
  .use(injectLambdaContext(logger, { clearState: true }))
  .handler(async (event: unknown, context: Context): Promise<RecordAnswer> => {
    const withinMs = context.getRemainingTimeInMillis() - ANSWERING_RESERVE_MS;
    const answer = await answerReader(parts, event, AbortSignal.timeout(Math.max(1, withinMs)));
    logger.info('read', { answer: answer.kind });
    return answer;
  });
