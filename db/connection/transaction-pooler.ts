import pg from 'pg';

/** So many that others, who use the pooler too, cannot be in the way each time. */
const ROUNDS = 20;

/**
 * Whether something between us and PostgreSQL gives each transaction another connection, so that what belongs to a session is lost.
 * Two clients ask who serves them. Where each has its own connection, the answers never change and never are the same.
 */
export async function hasTransactionPooler(connectionString: string): Promise<boolean> {
  const clients = [0, 1].map(
    () => new pg.Client({ connectionString, connectionTimeoutMillis: 10_000, application_name: 'fairlead look' }),
  );
  const seen = clients.map(() => new Set<number>());
  try {
    for (const client of clients) {
      client.on('error', () => {}); // the query that is waiting is rejected as well
      await client.connect();
    }
    for (let round = 0; round < ROUNDS && !areShared(seen); round += 1)
      for (const index of orderOf(round)) {
        const answer = await clients[index]?.query<{ pid: number }>('select pg_backend_pid() as pid');
        if (answer?.rows[0]) seen[index]?.add(answer.rows[0].pid);
      }
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
  return areShared(seen);
}

/** Not strictly in turn: a pooler that takes two connections in turn would serve each client by one of them. */
const orderOf = (round: number) => (round % 2 === 0 ? [0, 1] : [1, 0]);

function areShared([first = new Set(), second = new Set()]: readonly Set<number>[]): boolean {
  return first.size > 1 || second.size > 1 || [...first].some((pid) => second.has(pid));
}

/** @throws Error, with what to do, where the owner's work would lose its locks. */
export async function assertOwnConnections(ownerUrl: string): Promise<void> {
  if (await hasTransactionPooler(ownerUrl))
    throw new Error(
      'The schema cannot be changed through a pooler that shares connections (transaction mode). Set DATABASE_DIRECT_URL or ' +
        'DATABASE_OWNER_URL to an address that leads to PostgreSQL itself.',
    );
}
