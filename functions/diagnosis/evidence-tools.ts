import type { Configuration } from '../../shared/contracts/configuration.ts';
import type {
  LookupKnowledgeInput,
  QueryLogsInput,
  QueryMysqlInput,
} from '../../shared/contracts/tool-inputs.ts';
import { systemClock } from '../../shared/kernel/clock.ts';
import type { EvidenceTool } from './evidence/evidence-tool.ts';
import type { ToolAdapter } from './evidence/tool-adapter.ts';
import { KnowledgeBaseAdapter } from './tools/lookup-knowledge/knowledge-base-adapter.ts';
import { createLookupKnowledgeTool } from './tools/lookup-knowledge/lookup-knowledge-tool.ts';
import { MarkdownKnowledgeAdapter } from './tools/lookup-knowledge/markdown-knowledge-adapter.ts';
import { InsightsAdapter } from './tools/query-logs/insights-adapter.ts';
import { LogFileAdapter } from './tools/query-logs/log-file-adapter.ts';
import { createQueryLogsTool } from './tools/query-logs/query-logs-tool.ts';
import { MysqlAdapter } from './tools/query-mysql/mysql-adapter.ts';
import { loadQueryCatalog, QueryCatalog } from './tools/query-mysql/query-catalog.ts';
import { createQueryMysqlTool } from './tools/query-mysql/query-mysql-tool.ts';
import { SnapshotMysqlAdapter } from './tools/query-mysql/snapshot-mysql-adapter.ts';

/** Told of a fault behind an error code, by a name that holds no data. */
export type ReportSourceFault = (fault: { readonly name: string }) => void;

/**
 * Builds the three evidence tools over the configured sources. Nothing is connected yet.
 *
 * @throws HarnessError `CONFIGURATION_INVALID` for a catalogued query that can't be used, with file and line
 */
export async function createEvidenceTools(
  configuration: Configuration,
  reportFault: ReportSourceFault,
): Promise<{ readonly tools: readonly EvidenceTool[]; readonly catalogSha256: string }> {
  const { mysql } = configuration;
  const checked = await loadQueryCatalog({
    playbooksFolder: configuration.playbooks_folder,
    queriesFolder: configuration.queries_folder,
    applicationSchemas: mysql.kind === 'MYSQL' ? mysql.application_schemas : [],
  });
  // Without a server nothing can be asked, so the model is told of no query; the files are checked all the same.
  const catalog = mysql.kind === 'NONE' ? new QueryCatalog([]) : checked;
  const tools = [
    createLookupKnowledgeTool({ adapter: knowledgeAdapter(configuration, reportFault) }),
    createQueryLogsTool({
      topics: configuration.topics,
      adapter: logsAdapter(configuration, reportFault),
    }),
    createQueryMysqlTool({ catalog, adapter: mysqlAdapter(configuration, catalog, reportFault) }),
  ];
  return { tools, catalogSha256: catalog.hash() };
}

function knowledgeAdapter(
  { knowledge, shipped_sample: shippedSample }: Configuration,
  reportFault: ReportSourceFault,
): ToolAdapter<LookupKnowledgeInput> {
  switch (knowledge.kind) {
    case 'MARKDOWN':
      return new MarkdownKnowledgeAdapter({ folder: knowledge.folder, shippedSample });
    case 'BEDROCK_KNOWLEDGE_BASE':
      return new KnowledgeBaseAdapter({ knowledgeBase: knowledge, reportFault });
    case 'NONE':
      return NO_SOURCE;
  }
}

function logsAdapter(
  { topics, logs, time_zone: timeZone, shipped_sample: shippedSample }: Configuration,
  reportFault: ReportSourceFault,
): ToolAdapter<QueryLogsInput> {
  switch (logs.kind) {
    case 'FILES': {
      const sourceKind = shippedSample ? 'MOCK' : 'FILE';
      return new LogFileAdapter({ folder: logs.folder, topics, timeZone, sourceKind });
    }
    case 'CLOUDWATCH_LOGS':
      return new InsightsAdapter({ source: logs, clock: systemClock, reportFault });
  }
}

function mysqlAdapter(
  { mysql, shipped_sample: shippedSample }: Configuration,
  catalog: QueryCatalog,
  reportFault: ReportSourceFault,
): ToolAdapter<QueryMysqlInput> {
  switch (mysql.kind) {
    case 'SNAPSHOT': {
      const { folder, taken_at } = mysql;
      return new SnapshotMysqlAdapter({
        catalog,
        folder,
        asOf: Date.parse(taken_at),
        shippedSample,
      });
    }
    case 'MYSQL':
      return new MysqlAdapter({ catalog, server: mysql, reportFault });
    case 'NONE':
      return NO_SOURCE;
  }
}

/** The three tools are frozen, so one without a source stays and says so. */
const NO_SOURCE: ToolAdapter<unknown> = {
  call: async () => ({ kind: 'failed', code: 'SOURCE_UNAVAILABLE', executed: null }),
};
