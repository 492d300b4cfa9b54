import type { StopReason } from '../../../shared/contracts/stop-reason.ts';
import { HarnessError } from '../../../shared/kernel/errors.ts';

/**
 * The run ends here, under control: a tool was asked for past the last word, a round was refused at
 * the gate, the deadline passed, a cancel came. Carries the reason through the framework.
 */
export class RunStoppedError extends HarnessError<'RUN_STOPPED'> {
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super('RUN_STOPPED', `the run stopped: ${reason}`);
    this.reason = reason;
  }
}

/** The record could not be written or was no longer ours; nothing may be shown or published after it. */
export class StoreFailedError extends HarnessError<'STORE_FAILED'> {
  readonly detail: 'RECORD_WRITE_FAILED' | 'RECORD_WRITE_LOST';

  constructor(detail: 'RECORD_WRITE_FAILED' | 'RECORD_WRITE_LOST', options?: ErrorOptions) {
    super('STORE_FAILED', `the record could not be kept: ${detail}`, options);
    this.detail = detail;
  }
}
