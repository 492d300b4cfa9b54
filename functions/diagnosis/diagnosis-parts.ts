import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import type { Configuration } from '../../shared/contracts/configuration.ts';
import type { RunIdentity } from '../../shared/contracts/run-record.ts';
import type { Clock } from '../../shared/kernel/clock.ts';
import type { RunStore } from '../../shared/store/run-store.ts';
import type { Toolset } from './agent/asked-call.ts';
import type { PlaybookCatalog } from './agent/playbooks.ts';
import type { StepHook } from './audit/step-hook.ts';

/** A fault worth a log line: where, and the name of the error. Its text may hold data and stays out. */
export type ReportFault = (fault: { readonly name: string; readonly toolCallId?: string }) => void;

/** What a deployment diagnoses with; built once per cold start. */
export interface DiagnosisParts {
  readonly configuration: Configuration;
  readonly store: RunStore;
  readonly client: BedrockRuntimeClient;
  readonly toolset: Toolset;
  readonly playbooks: PlaybookCatalog;
  /** The stable system block. */
  readonly prompt: string;
  readonly identity: RunIdentity;
  readonly clock: Clock;
  readonly hook: StepHook;
  readonly reportFault: ReportFault;
}
