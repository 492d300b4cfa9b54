import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LIMIT_RANGES } from '../../../shared/contracts/budget.ts';
import { MAX_DRAFT_BYTES } from '../../../shared/contracts/diagnosis-draft.ts';
import { RunStatusSchema } from '../../../shared/contracts/diagnosis-outcome.ts';
import {
  MAX_QUERY_BYTES,
  MAX_USER_MESSAGE_BYTES,
} from '../../../shared/contracts/diagnosis-request.ts';
import { EvaluationSchema } from '../../../shared/contracts/envelope.ts';
import { DetailCodeSchema, FailureCodeSchema } from '../../../shared/contracts/failure.ts';
import {
  ErrorCodeSchema,
  EvidenceStatusSchema,
  MAX_OBSERVATION_BYTES,
  MissingFieldSchema,
  ScopeNoteSchema,
  SourceKindSchema,
} from '../../../shared/contracts/observation.ts';
import { MAX_PREVIOUS_TURN_BYTES } from '../../../shared/contracts/previous-turn.ts';
import { StopReasonSchema } from '../../../shared/contracts/stop-reason.ts';
import { EVIDENCE_TOOL_NAMES } from '../../../shared/contracts/tool-inputs.ts';
import { CALLER_ERROR_NAMES } from '../../../shared/kernel/errors.ts';

const PAGE = readFileSync('docs/contracts.md', 'utf8');

describe('docs/contracts.md', () => {
  it.each([
    ...RunStatusSchema.options,
    ...StopReasonSchema.options,
    ...FailureCodeSchema.options,
    ...DetailCodeSchema.options,
    ...ErrorCodeSchema.options,
    ...EvidenceStatusSchema.options,
    ...EvaluationSchema.options,
    ...MissingFieldSchema.options,
    ...ScopeNoteSchema.options,
    ...SourceKindSchema.options,
    ...EVIDENCE_TOOL_NAMES,
    ...CALLER_ERROR_NAMES,
  ])('names %s', (word) => {
    expect(PAGE).toContain(`\`${word}\``);
  });

  it.each(Object.entries(LIMIT_RANGES))('gives floor, default and ceiling of %s', (name, range) => {
    const row = `| \`${name}\` | ${range.floor} | ${range.byDefault} | ${range.ceiling} |`;

    expect(PAGE).toContain(row);
  });

  it.each([
    MAX_QUERY_BYTES,
    MAX_PREVIOUS_TURN_BYTES,
    MAX_USER_MESSAGE_BYTES,
    MAX_DRAFT_BYTES,
    MAX_OBSERVATION_BYTES,
  ])('gives the limit of %i bytes', (bytes) => {
    expect(PAGE).toMatch(new RegExp(`\\b${bytes}\\b`));
  });
});
