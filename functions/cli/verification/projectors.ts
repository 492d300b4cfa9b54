import type { EvidenceTool } from '../../diagnosis/evidence/evidence-tool.ts';
import { createLookupKnowledgeTool } from '../../diagnosis/tools/lookup-knowledge/lookup-knowledge-tool.ts';
import { createQueryLogsTool } from '../../diagnosis/tools/query-logs/query-logs-tool.ts';
import { QueryCatalog } from '../../diagnosis/tools/query-mysql/query-catalog.ts';
import { createQueryMysqlTool } from '../../diagnosis/tools/query-mysql/query-mysql-tool.ts';

/**
 * The three tools for the sake of their projectors: they ask no source. Topics and queries of the
 * deployment are left out, since what a run asked passed its own checks.
 */
export function projectingTools(): readonly EvidenceTool[] {
  return [
    createLookupKnowledgeTool({ adapter: noSource }),
    createQueryLogsTool({ topics: [], adapter: noSource }),
    createQueryMysqlTool({ catalog: new QueryCatalog([]), adapter: noSource }),
  ];
}

const noSource = {
  call: () => Promise.reject(new TypeError('a verification asks no source')),
};
