import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** What a running server works as; neither may change the schema, nor log in by itself. Each made by a migration. */
export const SERVER_ROLES = { web: 'fairlead_web', worker: 'fairlead_worker' } as const;
export type ServerRole = keyof typeof SERVER_ROLES;

/** The same login, which takes the role as each connection begins. */
export function assuming(connectionString: string, role: ServerRole): string {
  const url = new URL(connectionString);
  const options = url.searchParams.get('options');
  url.searchParams.set('options', `${options ? `${options} ` : ''}-c role=${SERVER_ROLES[role]}`);
  return url.href;
}

/** Lets the role itself log in, with a new password that ends the one before, and returns how. `owner` may alter roles. */
export async function loggingIn(owner: string, role: ServerRole): Promise<string> {
  const url = new URL(owner);
  url.username = SERVER_ROLES[role];
  url.password = randomBytes(24).toString('hex');
  await inSession(owner, (client) => client.query(`alter role ${url.username} login password '${url.password}'`));
  return url.href;
}

/**
 * Whether who connects so has what the role has, and does not own the tables. Rejects with PostgreSQL's refusal when the connection is
 * not even made.
 */
export async function hasRole(connectionString: string, role: ServerRole): Promise<{ has: boolean; owns: boolean }> {
  const { rows } = await inSession(connectionString, (client) =>
    client.query<{ has: boolean; owns: boolean }>(
      `select pg_has_role($1, 'usage') as has, pg_has_role(relowner, 'usage') as owns
       from pg_class where oid = 'public.lists'::regclass`,
      [SERVER_ROLES[role]],
    ),
  );
  return rows[0] ?? { has: false, owns: false };
}

async function inSession<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // the query that is waiting is rejected as well
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
