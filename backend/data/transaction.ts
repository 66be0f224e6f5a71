import { escapeLiteral, type PoolClient, type QueryResult } from 'pg';
import { whileAsked } from '#db/cancel/while-asked.ts';
import type { Waiting } from '#db/turns/turns.ts';
import type { Caller } from './caller.ts';
import { badToken, DataError } from './errors/data-error.ts';

/** No statement of a caller runs longer, in ms: a person's own rows are few, and others wait for the processor. */
export const STATEMENT_TIMEOUT_MS = { reads: 2_000, writes: 8_000, service: 8_000 };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** Where connections come from: a pool, or what waits for one. */
export type Connections = { connect(): Promise<PoolClient> };

/** Connections of a pool, which are waited for by `waiting`. */
export const waitingFor = (pool: Connections, waiting: Waiting): Connections => ({
  connect: () => waiting(() => pool.connect()),
});

/** Whether a transaction may write, and whether what it wrote stays. */
export type Access = 'read only' | 'read write' | 'rolled back';

/**
 * Runs `work` in one transaction under the caller's claims and role, so that row-level security and column grants
 * decide; everything set here ends with the transaction. Three round trips, begin, the statement and commit, of which a
 * read does not wait for the last. When `signal` aborts, a read is cancelled and CallerGone thrown; a write goes on to its end.
 * @throws DataError PGRST301 when the token's session has ended, 42501 when its user is disabled or banned, or has to prove a second step
 */
export async function asCaller<T>(
  pool: Connections,
  caller: Caller,
  access: Access,
  work: (client: PoolClient) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const client = await pool.connect();
  const run = async () => {
    await begin(client, caller, access === 'read only' ? 'read only' : 'read write');
    return work(client);
  };
  let result: T;
  try {
    result = await (signal && access === 'read only' ? whileAsked(signal, run) : run());
  } catch (error) {
    // The first failure says more than a rollback that fails as well.
    await end(client, 'rollback').catch(() => {});
    throw error;
  }
  if (access === 'read write') await end(client, 'commit');
  else if (access === 'rolled back') await end(client, 'rollback');
  // What was read is whole already: the answer leaves first.
  else setImmediate(() => end(client, 'commit').catch(() => {}));
  return result;
}

/** Ends the transaction and gives the connection back, or away if it is broken. */
async function end(client: PoolClient, how: 'commit' | 'rollback'): Promise<void> {
  try {
    await client.query(how);
  } catch (error) {
    // A refused commit leaves the connection usable, but it is not worth telling that apart from a broken one.
    client.release(true);
    throw error;
  }
  client.release();
}

async function begin(client: PoolClient, caller: Caller, access: string): Promise<void> {
  if (caller.role === 'authenticated' && !UUID.test(caller.sessionId)) throw sessionEnded();
  const results: unknown = await client.query(beginSql(caller, access));
  if (caller.role !== 'authenticated') return;
  // A text of several statements is answered by several results; the second is the session's.
  const session = Array.isArray(results) ? (results[1] as QueryResult<Session>).rows[0] : undefined;
  if (!session) throw sessionEnded();
  if (session.status !== 'active') throw new DataError(403, '42501', 'This account is disabled.');
  if (session.needs_second_step && caller.claims.aal !== 'aal2')
    throw new DataError(403, '42501', 'Two-step sign-in is required here. Complete your second step first.');
}

type Session = { status: string | null; needs_second_step: boolean };

/** Written as text because several statements in one round trip cannot have parameters; every value is quoted. */
function beginSql(caller: Caller, access: string): string {
  const claims = JSON.stringify(caller.role === 'authenticated' ? caller.claims : { role: caller.role });
  const settings = [
    `set_config('request.jwt.claims', ${escapeLiteral(claims)}, true)`,
    `set_config('role', ${escapeLiteral(caller.role)}, true)`,
    `set_config('statement_timeout', '${timeoutOf(caller, access)}', true)`,
  ].join(', ');
  const session = caller.role === 'authenticated' ? `${sessionSql(caller)}; ` : '';
  return `begin ${access}; ${session}select ${settings}`;
}

function timeoutOf({ role }: Caller, access: string): number {
  if (role === 'service_role') return STATEMENT_TIMEOUT_MS.service;
  return access === 'read only' ? STATEMENT_TIMEOUT_MS.reads : STATEMENT_TIMEOUT_MS.writes;
}

function sessionSql({ sessionId, userId }: { sessionId: string; userId: string }): string {
  return `select case when u.banned_until > now() then 'banned' else p.status end as status,
      app.needs_second_step(s.user_id)
    from auth.sessions s join auth.users u on u.id = s.user_id left join app.profiles p on p.user_id = s.user_id
    where s.id = ${escapeLiteral(sessionId)}::uuid and s.user_id::text = ${escapeLiteral(userId)}
      and auth.session_ends_at(s.created_at, s.refreshed_at, s.not_after) > now()`;
}

const sessionEnded = () => badToken('PGRST301', 'This session has ended. Please sign in again.');
