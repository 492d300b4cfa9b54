import type { Stack } from 'aws-cdk-lib';
import { alarms } from './alarms.ts';
import { dashboard } from './dashboard.ts';
import type { Watched } from './watched.ts';

/** Alarms and a dashboard. */
export function watch(stack: Stack, watched: Watched): void {
  dashboard(stack, watched, alarms(stack, watched));
}
