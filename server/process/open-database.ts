import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { assertOwnConnections, hasTransactionPooler } from '#db/connection/transaction-pooler.ts';
import { startPostgres } from '#db/embedded/start-postgres.ts';
import { assuming, hasRole, loggingIn, SERVER_ROLES, type ServerRole } from '#db/roles/server-role.ts';
import type { Env } from '#server/config/env.ts';

const PATIENCE_MS = 30_000;

/** `listening`: where a connection stays one's own, so that notifications arrive. Absent: nowhere. */
type Addresses = { url: string; listening: string | undefined };

/** PostgreSQL, ours or one elsewhere. */
export type Database = {
  /** The owner's address: for migrations, and for nothing that outlives the start. */
  ownerUrl: string;
  /**
   * How a server connects that may do no more than `role`. Once the database is migrated.
   * @throws Error with a text for the user.
   */
  addressesFor(role: ServerRole): Promise<Addresses>;
  /** For people: where it is. Holds no password. */
  where: string;
  /** Resolves when the embedded PostgreSQL is gone for good. */
  lost: Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts the embedded PostgreSQL, or waits up to 30 s until the one at `databaseUrl` answers.
 * - `databaseOwnerUrl`: who owns the database, if `databaseUrl` is a lesser login.
 * - `databaseDirectUrl`: the way past a pooler.
 * @throws Error with a text for the user.
 */
export async function openDatabase(
  options: Pick<Env, 'dataDir' | 'databaseUrl' | 'databaseOwnerUrl' | 'databaseDirectUrl'>,
): Promise<Database> {
  if (options.databaseUrl) return elsewhere({ ...options, databaseUrl: options.databaseUrl });
  const postgres = await startPostgres({ dataDir: options.dataDir });
  const ownerUrl = await postgres.database('fairlead');
  return {
    ownerUrl,
    async addressesFor(role) {
      const url = await loggingIn(ownerUrl, role);
      return { url, listening: url };
    },
    where: `PostgreSQL ${postgres.how}, data in ${postgres.folder}`,
    lost: postgres.lost,
    stop: () => postgres.stop(),
  };
}

async function elsewhere(options: {
  databaseUrl: string;
  databaseOwnerUrl: string | undefined;
  databaseDirectUrl: string | undefined;
}): Promise<Database> {
  const { databaseUrl, databaseOwnerUrl, databaseDirectUrl } = options;
  const addresses = {
    DATABASE_URL: databaseUrl,
    DATABASE_OWNER_URL: databaseOwnerUrl,
    DATABASE_DIRECT_URL: databaseDirectUrl,
  };
  for (const [name, address] of Object.entries(addresses)) {
    const reason = address && (await firstAnswer(address));
    if (reason) throw new Error(`${name} does not lead to a usable database (${placeOf(address)}): ${reason}`);
  }
  const ownerUrl = databaseOwnerUrl ?? databaseDirectUrl ?? databaseUrl;
  await assertOwnConnections(ownerUrl);
  /** An address with no more rights than a role. The owner's login assumes the role; another must have no more already. */
  const urlAs = async (address: string, role: ServerRole) => {
    const url = loginOf(address) === loginOf(ownerUrl) ? assuming(address, role) : address;
    await assertLimited(url, role);
    return url;
  };
  return {
    ownerUrl,
    async addressesFor(role) {
      const url = await urlAs(databaseUrl, role);
      if (databaseDirectUrl) return { url, listening: await urlAs(databaseDirectUrl, role) };
      return { url, listening: (await hasTransactionPooler(url)) ? undefined : url };
    },
    where: placeOf(databaseUrl),
    lost: new Promise(() => {}),
    stop: async () => {},
  };
}

const loginOf = (url: string): string => decodeURIComponent(new URL(url).username);

function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
}

async function assertLimited(url: string, role: ServerRole): Promise<void> {
  const reason = await hasRole(url, role).then(
    ({ has, owns }) => (has ? owns && 'it owns the tables' : 'it is not a member'),
    (error: Error) => error.message,
  );
  if (reason)
    throw new Error(
      `The login ${loginOf(url)} cannot work as ${SERVER_ROLES[role]}: ${reason}.\n` +
        'See docs/operations.md, under "Database roles".',
    );
}

/** Undefined once it answers; a reason when it refuses us, or when it did not answer in time. */
async function firstAnswer(connectionString: string): Promise<string | undefined> {
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(500)) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return undefined;
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      // A five-character code is PostgreSQL's own refusal; 57P01 to 57P03 are "going down" and "starting up", worth waiting for.
      const refused = code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^57P0[123]$/.test(code);
      if (refused || Date.now() > until) return message || code || 'no answer';
    }
  }
}
