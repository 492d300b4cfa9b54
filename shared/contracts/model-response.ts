import { z } from 'zod';

/** What the fields that are acted on must be; the SDK hands any JSON on under its own types. */
export const ModelResponseSchema = z.object({
  stopReason: z.string().nullish(),
  output: z
    .object({
      message: z
        .object({
          content: z
            .array(
              z.object({
                text: z.string().nullish(),
                toolUse: z
                  .object({ toolUseId: z.string().nullish(), name: z.string().nullish() })
                  .nullish(),
              }),
            )
            .nullish(),
        })
        .nullish(),
    })
    .nullish(),
});
