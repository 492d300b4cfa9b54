import { Duration, type Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { DETAIL_METRIC, RUN_METRIC } from '../../shared/contracts/metrics.ts';
import { RunMetrics } from './run-metrics.ts';
import type { Watched } from './watched.ts';

interface AlarmRule {
  readonly id: string;
  /** What it means, for the reader of the notification; docs/operations.md says what to do. */
  readonly means: string;
  readonly metric: IMetric;
  readonly threshold: number;
  readonly below?: boolean;
  readonly periods?: number;
}

/** Less than this left at the end means that the next slow run is cut off; milliseconds. */
const LEAST_MARGIN_MS = 30_000;

/** The alarms of a stage; `docs/operations.md` has a paragraph for each. */
export function alarms(stack: Stack, watched: Watched): readonly Alarm[] {
  const { stage, alarms: target } = watched.deployment;
  const topic =
    target.topic_arn === null ? null : Topic.fromTopicArn(stack, 'AlarmTopic', target.topic_arn);
  return [...runRules(watched), ...platformRules(watched)].map((rule) => {
    const alarm = new Alarm(stack, `${rule.id}Alarm`, {
      alarmName: `diagnosis-${stage}-${rule.id}`,
      alarmDescription: rule.means,
      metric: rule.metric,
      threshold: rule.threshold,
      evaluationPeriods: rule.periods ?? 1,
      comparisonOperator: rule.below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (topic !== null) alarm.addAlarmAction(new SnsAction(topic));
    return alarm;
  });
}

function runRules({ deployment }: Watched): AlarmRule[] {
  const quarter = Duration.minutes(15);
  const metrics = new RunMetrics(deployment);
  const failures = (code: string) =>
    metrics.one(DETAIL_METRIC.failures.name, {
      by: { [DETAIL_METRIC.failures.dimension]: code },
      period: quarter,
    });
  const tokens = {
    [RUN_METRIC.inputTokens]: 1,
    [RUN_METRIC.outputTokens]: 1,
    [RUN_METRIC.cacheReadTokens]: 1,
    [RUN_METRIC.cacheWriteTokens]: 1,
  };
  return [
    {
      id: 'RunsFail',
      means: 'Five runs failed within a quarter of an hour',
      metric: metrics.one(RUN_METRIC.failed, { period: quarter }),
      threshold: 5,
    },
    {
      id: 'ModelThrottled',
      means: 'The model quota was exceeded three times within a quarter of an hour',
      metric: failures('MODEL_THROTTLED'),
      threshold: 3,
    },
    {
      id: 'ModelDenied',
      means: 'The model may not be invoked',
      metric: failures('MODEL_DENIED'),
      threshold: 1,
    },
    {
      id: 'RecordFails',
      means: 'A run could not be settled in the record',
      metric: failures('STORE_FAILED'),
      threshold: 1,
    },
    {
      id: 'RunsAbandoned',
      means: 'A process ended before its run was settled',
      metric: failures('RUN_ABANDONED'),
      threshold: 1,
    },
    {
      id: 'GuardRefuses',
      means: 'The guard refused five drafts within a quarter of an hour',
      metric: metrics.one(RUN_METRIC.guardRefusals, { period: quarter }),
      threshold: 5,
    },
    {
      id: 'MarginShort',
      means: 'A run was settled with less than half a minute left',
      metric: metrics.one(RUN_METRIC.deadlineMargin, { statistic: Stats.MINIMUM }),
      threshold: LEAST_MARGIN_MS,
      below: true,
    },
    {
      id: 'TokensPerHour',
      means: 'More tokens within an hour than the stage expects',
      metric: metrics.weighted(tokens, { period: Duration.hours(1), label: 'tokens' }),
      threshold: deployment.alarms.tokens_per_hour,
    },
  ];
}

function platformRules({ diagnosis, machines, failedEvents, records }: Watched): AlarmRule[] {
  const five = Duration.minutes(5);
  const throttledWrites = records.recordTable.metric('WriteThrottleEvents', {
    statistic: Stats.SUM,
    period: five,
  });
  return [
    {
      id: 'EventsLost',
      means: 'An asynchronous event was given up; it lies in the queue of failed events',
      metric: failedEvents.metricApproximateNumberOfMessagesVisible({
        statistic: Stats.MAXIMUM,
        period: five,
      }),
      threshold: 1,
    },
    {
      id: 'Throttled',
      means: 'Lambda refused invocations of the diagnosis function in three periods',
      metric: diagnosis.alias.metricThrottles({ statistic: Stats.SUM, period: five }),
      threshold: 1,
      periods: 3,
    },
    {
      id: 'WritesThrottled',
      means: 'DynamoDB throttled writes to the record',
      metric: throttledWrites,
      threshold: 1,
    },
    {
      id: 'OneFails',
      means: 'Three executions of the machine for one diagnosis failed',
      metric: machines.one.metricFailed({ statistic: Stats.SUM, period: five }),
      threshold: 3,
    },
    {
      id: 'ManyFails',
      means: 'An execution of the machine for many diagnoses failed',
      metric: machines.many.metricFailed({ statistic: Stats.SUM, period: five }),
      threshold: 1,
    },
  ];
}
