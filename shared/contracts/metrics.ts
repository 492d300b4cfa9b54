// What the diagnosis function counts, and the names that alarms and the dashboard look for.

export const METRICS_NAMESPACE = 'IncidentDiagnosis';

/** The dimension that every metric has; its value is the function's name. */
export const SERVICE_DIMENSION = 'service';

/** Metrics of each executed run, without another dimension. */
export const RUN_METRIC = {
  completed: 'RunsCompleted',
  stopped: 'RunsStopped',
  failed: 'RunsFailed',
  rounds: 'Rounds',
  toolCalls: 'ToolCalls',
  inputTokens: 'InputTokens',
  outputTokens: 'OutputTokens',
  cacheReadTokens: 'CacheReadTokens',
  cacheWriteTokens: 'CacheWriteTokens',
  /** Milliseconds. */
  duration: 'RunDuration',
  /** Milliseconds that the Lambda had left when its run was settled. */
  deadlineMargin: 'DeadlineMargin',
  guardRefusals: 'GuardRefusals',
} as const;

/** Deliveries that executed nothing. */
export const DELIVERY_METRIC = { replayed: 'RunsReplayed', refused: 'DeliveriesRefused' } as const;

/** Metrics by one more dimension each. */
export const DETAIL_METRIC = {
  stops: { name: 'Stops', dimension: 'stop_reason' },
  failures: { name: 'Failures', dimension: 'code' },
  evidence: { name: 'Evidence', dimension: 'evidence_status' },
  refusals: { name: 'Refusals', dimension: 'error' },
} as const;
