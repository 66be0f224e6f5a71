import pg from 'pg';
import { createDataApp } from '#backend/data/app.ts';
import type { Session } from './sign-in.ts';

/** What the data API sends to PostgreSQL for one read: the begin with claims, role and session check, and the statement. */
export type RecordedRead = { begin: string; statement: { text: string; values: unknown[] } };

/** Lets the data API answer `path` (`/leads?…`) once and writes down its SQL, so that a handler without it can run the same. */
export async function recordRead(databaseUrl: string, session: Session, path: string): Promise<RecordedRead> {
  const sent: unknown[] = [];
  class RecordingClient extends pg.Client {
    override query(...args: unknown[]): never {
      sent.push(args[0]);
      return super.query(...(args as [string])) as never;
    }
  }
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, Client: RecordingClient });
  const { userId, claims } = session;
  const app = createDataApp({
    pool,
    slowPool: pool,
    publishableKey: '',
    isService: () => false,
    inTurn: (_c, _caller, work) => work(false, (wait) => wait()),
    verifyAccessToken: async () => ({ userId, sessionId: String(claims.session_id), claims }),
    log: { error: () => {} },
  });
  const response = await app.request(path, { headers: { authorization: session.headers.authorization ?? '' } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  await pool.end();
  const at = sent.findIndex((query) => typeof query === 'string' && query.startsWith('begin'));
  const [begin, statement] = sent.slice(at);
  if (typeof begin !== 'string' || !isStatement(statement))
    throw new Error('The data API sends its SQL differently now.');
  return { begin, statement };
}

const isStatement = (query: unknown): query is RecordedRead['statement'] =>
  typeof query === 'object' && query !== null && 'text' in query && 'values' in query;
