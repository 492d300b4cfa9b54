import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Deployment } from '../../shared/contracts/deployment.ts';
import { METRICS_NAMESPACE, SERVICE_DIMENSION } from '../../shared/contracts/metrics.ts';
import { namesOf } from '../names.ts';

const FIVE_MINUTES = Duration.minutes(5);

/** How a metric is looked at; the sum of five minutes unless told otherwise. */
export interface MetricView {
  readonly statistic?: string;
  readonly period?: Duration;
  /** A further dimension. */
  readonly by?: Readonly<Record<string, string>>;
  readonly label?: string;
}

/** The metrics that the diagnosis function of a stage writes itself. */
export class RunMetrics {
  readonly #service: string;
  readonly #region: string;

  constructor(deployment: Deployment) {
    this.#service = namesOf(deployment).functions.diagnosis;
    this.#region = deployment.region;
  }

  one(
    metricName: string,
    { statistic = Stats.SUM, period = FIVE_MINUTES, by = {}, label }: MetricView = {},
  ): Metric {
    return new Metric({
      namespace: METRICS_NAMESPACE,
      metricName,
      dimensionsMap: { [SERVICE_DIMENSION]: this.#service, ...by },
      statistic,
      period,
      ...(label !== undefined && { label }),
    });
  }

  /** One line for each value of the dimension that was ever seen. */
  each({ name, dimension }: { readonly name: string; readonly dimension: string }): MathExpression {
    const schema = `${METRICS_NAMESPACE},${SERVICE_DIMENSION},${dimension}`;
    const search = `{${schema}} MetricName="${name}" ${SERVICE_DIMENSION}="${this.#service}"`;
    return new MathExpression({
      expression: `SEARCH('${search}', 'Sum', ${FIVE_MINUTES.toSeconds()})`,
      usingMetrics: {},
      label: '',
      searchRegion: this.#region,
    });
  }

  /**
   * The sum of metrics, each with its own weight, divided; one that has no data counts as nothing.
   * CloudWatch reads no exponents, so that small weights are whole ones with a divisor.
   */
  weighted(
    weights: Readonly<Record<string, number>>,
    {
      period,
      label,
      divisor = 1,
    }: { readonly period: Duration; readonly label: string; readonly divisor?: number },
  ): MathExpression {
    const terms = Object.entries(weights).map(([name, weight], index) => ({
      id: `m${index}`,
      metric: this.one(name, { period }),
      weight,
    }));
    const sum = terms.map(({ id, weight }) => `FILL(${id}, 0) * ${weight}`).join(' + ');
    return new MathExpression({
      expression: `(${sum}) / ${divisor}`,
      usingMetrics: Object.fromEntries(terms.map(({ id, metric }) => [id, metric])),
      period,
      label,
    });
  }
}
