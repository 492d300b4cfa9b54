import { createRedactor } from './redactor.ts';

/** Redacts one text on its own, with marks numbered from one; its own marks pass unchanged. */
export function redact(text: string): string {
  return createRedactor().redact(text);
}
