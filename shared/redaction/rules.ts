import { findAddresses } from './addresses.ts';
import { findBoundValues } from './bound-values.ts';
import { findCloudResources } from './cloud-resources.ts';
import { findCommandCredentials } from './commands.ts';
import type { Rule } from './finding.ts';
import { findHeaderCredentials } from './headers.ts';
import { findHosts } from './hosts.ts';
import { findKeyedSecrets } from './keyed-secrets.ts';
import { findKubernetesSecrets } from './kubernetes-secrets.ts';
import { findPersonalData } from './personal-data.ts';
import { findPrivateKeys } from './private-keys.ts';
import { findSqlLiterals } from './sql-literals.ts';
import { findStackFrames } from './stack-frames.ts';
import { findTables } from './tables.ts';
import { findTokens } from './tokens.ts';
import { findUrlCredentials } from './url-credentials.ts';
import { findWorkloads } from './workloads.ts';

/** Everything that is looked for; the order does not matter, since rules only report. */
export const RULES: readonly Rule[] = [
  findPrivateKeys,
  findTokens,
  findKeyedSecrets,
  findHeaderCredentials,
  findKubernetesSecrets,
  findUrlCredentials,
  findCommandCredentials,
  findPersonalData,
  findSqlLiterals,
  findBoundValues,
  findStackFrames,
  findTables,
  findWorkloads,
  findCloudResources,
  findAddresses,
  findHosts,
];
