import type { Configuration } from '../../shared/contracts/configuration.ts';
import type { EvidenceTool } from './evidence/evidence-tool.ts';
import { createLookupKnowledgeTool } from './tools/lookup-knowledge/lookup-knowledge-tool.ts';
import { MarkdownKnowledgeAdapter } from './tools/lookup-knowledge/markdown-knowledge-adapter.ts';
import { LogFileAdapter } from './tools/query-logs/log-file-adapter.ts';
import { createQueryLogsTool } from './tools/query-logs/query-logs-tool.ts';
import { loadQueryCatalog } from './tools/query-mysql/query-catalog.ts';
import { createQueryMysqlTool } from './tools/query-mysql/query-mysql-tool.ts';
import { SnapshotMysqlAdapter } from './tools/query-mysql/snapshot-mysql-adapter.ts';

/**
 * Builds the three evidence tools over the configured sources.
 *
 * @throws HarnessError `CONFIGURATION_INVALID` for a catalogued query that can't be used, with file and line
 */
export async function createEvidenceTools(
  configuration: Configuration,
): Promise<{ readonly tools: readonly EvidenceTool[]; readonly catalogSha256: string }> {
  const { topics, logs, knowledge, mysql, shipped_sample: shippedSample } = configuration;
  const catalog = await loadQueryCatalog({
    playbooksFolder: configuration.playbooks_folder,
    queriesFolder: configuration.queries_folder,
  });
  const tools = [
    createLookupKnowledgeTool({
      adapter: new MarkdownKnowledgeAdapter({ folder: knowledge.folder, shippedSample }),
    }),
    createQueryLogsTool({
      topics,
      adapter: new LogFileAdapter({
        folder: logs.folder,
        topics,
        timeZone: configuration.time_zone,
        sourceKind: shippedSample ? 'MOCK' : 'FILE',
      }),
    }),
    createQueryMysqlTool({
      catalog,
      adapter: new SnapshotMysqlAdapter({
        catalog,
        folder: mysql.folder,
        asOf: Date.parse(mysql.taken_at),
        shippedSample,
      }),
    }),
  ];
  return { tools, catalogSha256: catalog.hash() };
}
