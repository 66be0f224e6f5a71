import { z } from 'zod/mini';

/** What is to be loaded, as it is stored with the import. `files`: absolute paths. */
export const Order = z.object({
  files: z.array(z.string()),
  /** In degrees. */
  bbox: z.optional(z.object({ west: z.number(), south: z.number(), east: z.number(), north: z.number() })),
  /** Two letters. */
  state: z.optional(z.string()),
  /** For CSV, which does not say it. */
  source: z.optional(z.string()),
  license: z.optional(z.string()),
  /** Instead of what the files say. */
  release: z.optional(z.string()),
  /** `part`: places that the files lack are not gone. `whole`: they are, however many. Else many of them stop the import. */
  missing: z.optional(z.enum(['part', 'whole'])),
});
export type Order = z.infer<typeof Order>;
