import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** The fewest hours that either limit may have: an open page renews its session once an hour. */
const SHORTEST_SESSION_HOURS = 2;
/** The most hours that either limit may have: a year. */
const LONGEST_SESSION_HOURS = 8760;

const hours = z
  .int()
  .check(
    z.minimum(SHORTEST_SESSION_HOURS, 'A session must last at least 2 hours.'),
    z.maximum(LONGEST_SESSION_HOURS, 'A session can last at most a year.'),
  );

/** When sessions end by themselves: so long after they were last used, and so long after the sign-in. */
export const SessionEnds = z.object({ idle_hours: hours, max_hours: hours }).check(
  z.refine(({ idle_hours, max_hours }) => idle_hours <= max_hours, {
    error: 'The limit without use cannot be longer than the total limit.',
    path: ['idle_hours'],
  }),
);
export type SessionEnds = z.infer<typeof SessionEnds>;

/** `null` where hosted Supabase keeps the sessions: its own settings end them. */
const Answer = z.object({ ends: z.nullable(SessionEnds) });

export const getSessionEndsEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/session-ends',
  reads: true,
  access: 'admin',
  data: Answer,
});

/**
 * Sets when sessions end, and ends those that are already past it.
 * @throws CONFLICT where hosted Supabase keeps the sessions
 */
export const setSessionEndsEndpoint = endpoint({
  method: 'PUT',
  path: '/api/admin/session-ends',
  access: 'admin',
  freshProof: true,
  body: SessionEnds,
  data: Answer,
});
