import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { EvidenceTool } from '../../functions/diagnosis/evidence/evidence-tool.ts';
import { createEvidenceTools } from '../../functions/diagnosis/evidence-tools.ts';
import { ConfigurationSchema } from '../../shared/contracts/configuration.ts';

/** The instant that every capsule of a test ends at. */
export const AS_OF = '2026-11-03T05:00:00Z';

/** Files of a capsule by path, such as `logs/orders.log`; `shippedSample` as a deployment says it. */
export interface CapsuleFiles {
  readonly files: Readonly<Record<string, string>>;
  readonly shippedSample?: boolean;
}

/** The three real tools over a capsule in a temporary folder; its one log topic is `orders`. */
export async function capsuleTools({
  files,
  shippedSample = true,
}: CapsuleFiles): Promise<readonly EvidenceTool[]> {
  const folder = mkdtempSync(join(tmpdir(), 'capsule-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['logs', 'knowledge', 'mysql']) mkdirSync(join(folder, name));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const { tools } = await createEvidenceTools(
    ConfigurationSchema.parse({
      schema_version: 1,
      model: { model_id: 'scripted' },
      playbooks_folder: 'skills',
      shipped_sample: shippedSample,
      topics: [{ name: 'orders', description: '订单服务', max_lookback_minutes: 1_440 }],
      logs: { kind: 'FILES', folder: join(folder, 'logs') },
      knowledge: { kind: 'MARKDOWN', folder: join(folder, 'knowledge') },
      mysql: { kind: 'SNAPSHOT', folder: join(folder, 'mysql'), taken_at: AS_OF },
      store: { kind: 'SQLITE', file: ':memory:' },
    }),
    () => {},
  );
  return tools;
}

/** A log line `index` seconds after 04:30 UTC, half an hour before the capsule's end. */
export function logLine(index: number, message: string, level = 'ERROR'): string {
  const at = new Date(Date.parse('2026-11-03T04:30:00Z') + index * 1_000);
  return `${at.toISOString()} ${level} ${message}`;
}
