import { z } from 'zod/mini';

/** Where the queue keeps its tables. */
export const SCHEMA = 'pgboss';

/** A kind of job: ids only, the rows that they name hold the truth. */
export type JobDefinition<Data> = { name: string; data: z.ZodMiniType<Data> };

/** Says that a run waits for a worker. Which worker gets it is decided by a claim on its row, not by this job. */
export const runWaits: JobDefinition<{ runId: string }> = {
  name: 'run-waits',
  data: z.object({ runId: z.string() }),
};
