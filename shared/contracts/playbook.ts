import { z } from 'zod';
import { nonBlankText } from './bounded-text.ts';

/**
 * Front matter of `skills/<name>/SKILL.md`, in the Agent Skills format: the name of at most 64
 * characters, lower case with single hyphens; the description of at most 1,024.
 */
export const PlaybookHeadSchema = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens'),
  description: nonBlankText(1_024).refine((text) => !text.includes('\n'), {
    error: 'must be one line',
  }),
});
