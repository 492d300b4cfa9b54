import { Duration, type Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  PeriodOverride,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { DELIVERY_METRIC, DETAIL_METRIC, RUN_METRIC } from '../../shared/contracts/metrics.ts';
import { RunMetrics } from './run-metrics.ts';
import type { Watched } from './watched.ts';

const WIDTH = 8;
const HOUR = Duration.hours(1);

/** One page for the person on call: what runs do, why they stop, what they use. */
export function dashboard(stack: Stack, watched: Watched, alarms: readonly Alarm[]): Dashboard {
  const { stage } = watched.deployment;
  const metrics = new RunMetrics(watched.deployment);
  const sums = (...names: readonly string[]) => names.map((name) => metrics.one(name));
  return new Dashboard(stack, 'Dashboard', {
    dashboardName: `diagnosis-${stage}`,
    periodOverride: PeriodOverride.AUTO,
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 3 * WIDTH })],
      [
        graph('Runs by status', sums(RUN_METRIC.completed, RUN_METRIC.stopped, RUN_METRIC.failed)),
        graph('Stop reasons', [metrics.each(DETAIL_METRIC.stops)]),
        graph('Failures by code', [metrics.each(DETAIL_METRIC.failures)]),
      ],
      [
        graph('Evidence by status', [metrics.each(DETAIL_METRIC.evidence)]),
        graph('Rounds and tool calls', sums(RUN_METRIC.rounds, RUN_METRIC.toolCalls)),
        graph('Refused drafts and deliveries', [
          ...sums(RUN_METRIC.guardRefusals, DELIVERY_METRIC.replayed),
          metrics.each(DETAIL_METRIC.refusals),
        ]),
      ],
      [
        graph('Duration and margin, ms', [
          metrics.one(RUN_METRIC.duration, { statistic: Stats.p(50), label: 'duration, median' }),
          metrics.one(RUN_METRIC.duration, { statistic: Stats.p(99), label: 'duration, p99' }),
          metrics.one(RUN_METRIC.deadlineMargin, {
            statistic: Stats.MINIMUM,
            label: 'least margin',
          }),
        ]),
        graph('Tokens', [
          ...sums(RUN_METRIC.inputTokens, RUN_METRIC.outputTokens),
          ...sums(RUN_METRIC.cacheReadTokens, RUN_METRIC.cacheWriteTokens),
        ]),
        ...costWidgets(watched, metrics),
      ],
      [
        graph('Lambda', [
          watched.diagnosis.alias.metricInvocations(),
          watched.diagnosis.alias.metricErrors(),
          watched.diagnosis.alias.metricThrottles(),
        ]),
        graph('Failed events', [watched.failedEvents.metricApproximateNumberOfMessagesVisible()]),
        graph('Executions', [
          watched.machines.one.metricSucceeded({ label: 'one, answered' }),
          watched.machines.one.metricFailed({ label: 'one, failed' }),
          watched.machines.many.metricFailed({ label: 'many, failed' }),
        ]),
      ],
    ],
  });
}

/** The model's cost at the stage's prices: an estimate, since prices change and rounds can lack a count. */
function costWidgets({ deployment }: Watched, metrics: RunMetrics): IWidget[] {
  const prices = deployment.model.usd_per_million_tokens;
  if (prices === undefined) return [];
  const usd = {
    [RUN_METRIC.inputTokens]: prices.input,
    [RUN_METRIC.outputTokens]: prices.output,
    [RUN_METRIC.cacheReadTokens]: prices.cache_read,
    [RUN_METRIC.cacheWriteTokens]: prices.cache_write,
  };
  return [
    graph('Model cost an hour, USD, estimated', [
      metrics.weighted(usd, { period: HOUR, label: 'estimate', divisor: 1_000_000 }),
    ]),
  ];
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: WIDTH, height: 6 });
}
