import { type Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { DiagnosisOutcome } from '../../shared/contracts/diagnosis-outcome.ts';
import { DELIVERY_METRIC, DETAIL_METRIC, RUN_METRIC } from '../../shared/contracts/metrics.ts';
import type { Step } from '../../shared/contracts/step.ts';

/** What there is to count about a delivery that was answered. */
export interface Answered {
  readonly outcome: DiagnosisOutcome;
  /** Epoch milliseconds; a run that began earlier was not executed by this delivery. */
  readonly deliveredAt: number;
  /** What the Lambda has left now, in milliseconds. */
  readonly remainingMs: number;
}

const STATUS_METRIC = {
  COMPLETED: RUN_METRIC.completed,
  STOPPED: RUN_METRIC.stopped,
  FAILED: RUN_METRIC.failed,
} as const satisfies Record<DiagnosisOutcome['status'], string>;

/** Counts one delivery, from the codes and numbers of its run alone. */
export class RunMetrics {
  readonly #metrics: Metrics;
  readonly #evidence = new Map<string, number>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  watch({ detail }: Step): void {
    if (detail.kind !== 'TOOL_CALL') return;
    const { evidence_status: status } = detail;
    this.#evidence.set(status, (this.#evidence.get(status) ?? 0) + 1);
  }

  answered({ outcome, deliveredAt, remainingMs }: Answered): void {
    if (Date.parse(outcome.started_at) < deliveredAt) {
      this.#metrics.addMetric(DELIVERY_METRIC.replayed, MetricUnit.Count, 1);
      return;
    }
    this.#countRun(outcome, remainingMs);
    const { stop_reason: stopReason, failure } = outcome;
    if (stopReason !== null) this.#detail(DETAIL_METRIC.stops, stopReason, 1);
    if (failure !== null) this.#detail(DETAIL_METRIC.failures, failure.code, 1);
    for (const [status, count] of this.#evidence) {
      this.#detail(DETAIL_METRIC.evidence, status, count);
    }
  }

  /** Counts a delivery that ended in an error, by its name. */
  refused(error: unknown): void {
    this.#metrics.addMetric(DELIVERY_METRIC.refused, MetricUnit.Count, 1);
    this.#detail(DETAIL_METRIC.refusals, error instanceof Error ? error.name : typeof error, 1);
  }

  #countRun({ status, failure, usage }: DiagnosisOutcome, remainingMs: number): void {
    const counts = {
      [STATUS_METRIC[status]]: 1,
      [RUN_METRIC.rounds]: usage.model_calls,
      [RUN_METRIC.toolCalls]: usage.tool_calls,
      [RUN_METRIC.inputTokens]: usage.input_tokens,
      [RUN_METRIC.outputTokens]: usage.output_tokens,
      [RUN_METRIC.cacheReadTokens]: usage.cache_read_tokens,
      [RUN_METRIC.cacheWriteTokens]: usage.cache_write_tokens,
      [RUN_METRIC.guardRefusals]: failure?.code === 'EVIDENCE_REJECTED' ? 1 : 0,
    };
    for (const [name, count] of Object.entries(counts)) {
      this.#metrics.addMetric(name, MetricUnit.Count, count);
    }
    const { duration, deadlineMargin } = RUN_METRIC;
    this.#metrics.addMetric(duration, MetricUnit.Milliseconds, usage.time_ms);
    this.#metrics.addMetric(deadlineMargin, MetricUnit.Milliseconds, Math.max(0, remainingMs));
  }

  #detail(
    { name, dimension }: (typeof DETAIL_METRIC)[keyof typeof DETAIL_METRIC],
    value: string,
    count: number,
  ): void {
    this.#metrics
      .singleMetric()
      .addDimension(dimension, value)
      .addMetric(name, MetricUnit.Count, count);
  }
}
