import { DiagnosisDraftSchema } from '../../../shared/contracts/diagnosis-draft.ts';
import { toJsonSchema } from '../../../shared/contracts/envelope.ts';

/**
 * The JSON Schema of a draft as the prompt shows it, in one line. Descriptions carry the byte limits,
 * since JSON Schema counts characters; the guard's rules are the prompt's to explain.
 */
export function draftJsonSchema(): string {
  return JSON.stringify(toJsonSchema(DiagnosisDraftSchema));
}
