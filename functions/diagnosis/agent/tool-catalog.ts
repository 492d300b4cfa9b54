import { FunctionTool } from '@strands-agents/sdk';
import { envelopeJsonSchema, toJsonSchema } from '../../../shared/contracts/envelope.ts';
import {
  LookupKnowledgeInputSchema,
  PLAYBOOK_TOOL_NAME,
  QueryLogsInputSchema,
  QueryMysqlInputSchema,
  ReadSkillInputSchema,
} from '../../../shared/contracts/tool-inputs.ts';
import type { Toolset } from './asked-call.ts';

const INPUT_SCHEMAS = {
  lookup_knowledge: envelopeJsonSchema(LookupKnowledgeInputSchema),
  query_logs: envelopeJsonSchema(QueryLogsInputSchema),
  query_mysql: envelopeJsonSchema(QueryMysqlInputSchema),
} as const;

const READ_SKILL_DESCRIPTION =
  '读取一份排查手册的全文（名称见排查手册目录）。手册是指导，不是证据，不能在草稿中引用；没有信封。每份手册在一次诊断中只需读一次。';

/**
 * The tool definitions as the model sees them. The framework holds them for their names and schemas
 * only: every call is answered by the tool interceptor and none of these functions ever runs.
 */
export function createToolCatalog({ evidence, hasPlaybooks }: Toolset): FunctionTool[] {
  const tools = evidence.map(({ name, description }) =>
    declare(name, description, INPUT_SCHEMAS[name]),
  );
  if (!hasPlaybooks) return tools;
  return [
    ...tools,
    declare(PLAYBOOK_TOOL_NAME, READ_SKILL_DESCRIPTION, toJsonSchema(ReadSkillInputSchema)),
  ];
}

function declare(
  name: string,
  description: string,
  inputSchema: Record<string, unknown>,
): FunctionTool {
  return new FunctionTool({
    name,
    description,
    inputSchema,
    callback: () => {
      throw new TypeError(`${name} was called past the tool interceptor`);
    },
  });
}
