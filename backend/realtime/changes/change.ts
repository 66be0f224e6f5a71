import { z } from 'zod/mini';

/**
 * What PostgreSQL tells of a statement's rows that belong to one person. `owner`: whose they are after the statement, or were before it
 * if it deleted them; null where no one is named.
 */
export const Change = z.object({
  table: z.string(),
  type: z.enum(['INSERT', 'UPDATE', 'DELETE']),
  at: z.string(),
  owner: z.nullable(z.string()),
  ids: z.array(z.string()),
});
export type Change = z.infer<typeof Change>;
