import { z } from 'zod/mini';

const Event = z.enum(['*', 'INSERT', 'UPDATE', 'DELETE']);

/** One `on('postgres_changes', …)`, as it was asked for and as it is repeated in the reply. */
export const Binding = z.object({
  event: Event,
  schema: z.string(),
  table: z.optional(z.string()),
  filter: z.optional(z.string()),
  select: z.optional(z.array(z.string())),
});
export type Binding = z.infer<typeof Binding>;
