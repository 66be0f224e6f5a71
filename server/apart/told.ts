import { z } from 'zod/mini';

/** What a process is told when it begins, over a channel that only the two have. */
export const Beginning = z.object({ databaseUrl: z.string(), isSerial: z.boolean(), siteUrl: z.string() });
export type Beginning = z.infer<typeof Beginning>;

/** What it says once it serves. */
export const SERVING = 'serving';

/** Of both ends of the connection: parts of files go through it in large frames. In Node's small ones they cost the waiting process a third more. */
export const WINDOW_BYTES = 262_144;

/** What is told of each request beside what was sent: who asks was found out, and counted, by the process that asks. */
const Told = z.object({
  requestId: z.string(),
  ip: z.string(),
  user: z.object({
    userId: z.string(),
    sessionId: z.string(),
    email: z.string(),
    role: z.enum(['user', 'admin']),
    aal: z.enum(['aal1', 'aal2']),
    isFresh: z.boolean(),
  }),
});
export type Told = z.infer<typeof Told>;

export const TOLD_HEADER = 'fairlead-told';

export const writeTold = (told: Told): string => Buffer.from(JSON.stringify(told)).toString('base64url');

export const readTold = (header: unknown): Told =>
  Told.parse(JSON.parse(Buffer.from(String(header), 'base64url').toString()));
