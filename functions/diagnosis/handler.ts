import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import { Tracer } from '@aws-lambda-powertools/tracer';
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { METRICS_NAMESPACE } from '../../shared/contracts/metrics.ts';
import type { StepHook } from './audit/step-hook.ts';
import { composeLambda } from './composition.ts';
import { diagnose } from './diagnose.ts';
import { RunMetrics } from './run-metrics.ts';

const logger = new Logger();
const metrics = new Metrics({ namespace: METRICS_NAMESPACE });
const tracer = new Tracer();
const parts = await composeLambda((fault) => logger.warn('fault', { fault }));

/** The Lambda entry: one event, one outcome. Logs ids, codes and counts; never a text of the run. */
export const handler = middy()
  .use(captureLambdaHandler(tracer, { captureResponse: false }))
  .use(injectLambdaContext(logger, { clearState: true }))
  .use(logMetrics(metrics))
  .handler(async (event: unknown, context: Context): Promise<DiagnosisOutcome> => {
    const deliveredAt = parts.clock.now();
    const runMetrics = new RunMetrics(metrics);
    const hook: StepHook = (step) => {
      const { run_id, session_id } = step;
      logger.appendKeys({ run_id, session_id }); // on each line from here on
      runMetrics.watch(step);
    };
    try {
      const outcome = await diagnose(
        { ...parts, hook },
        {
          event,
          requestId: context.awsRequestId,
          remainingMs: context.getRemainingTimeInMillis(),
          cancel: null,
        },
      );
      const remainingMs = context.getRemainingTimeInMillis();
      runMetrics.answered({ outcome, deliveredAt, remainingMs });
      tracer.putAnnotation('run_id', outcome.run_id);
      logger.info('diagnosed', accountOf(outcome));
      return outcome;
    } catch (error) {
      runMetrics.refused(error);
      throw error;
    }
  });

function accountOf({ run_id, session_id, status, stop_reason, failure, usage }: DiagnosisOutcome) {
  return { run_id, session_id, status, stop_reason, failure, usage };
}
