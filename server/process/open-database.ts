import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '#db/embedded/start-postgres.ts';
import { assuming, hasRole, loggingIn, SERVER_ROLES, type ServerRole } from '#db/server-role.ts';
import type { Env } from '#server/env.ts';

const PATIENCE_MS = 30_000;

/** PostgreSQL, ours or one elsewhere. */
export type Database = {
  /** The owner's address: for migrations, and for nothing that outlives the start. */
  ownerUrl: string;
  /** How a server connects that may do no more than `role`. Once the database is migrated. Throws with a text for the user. */
  urlFor(role: ServerRole): Promise<string>;
  /** For people: where it is. Holds no password. */
  where: string;
  /** Resolves when the embedded PostgreSQL is gone for good. */
  lost: Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts the embedded PostgreSQL, or waits up to 30 s until the one at `databaseUrl` answers. Throws with a text for the user.
 * `databaseOwnerUrl`: who owns the database, if `databaseUrl` is a lesser login.
 */
export async function openDatabase(
  options: Pick<Env, 'dataDir' | 'databaseUrl' | 'databaseOwnerUrl'>,
): Promise<Database> {
  if (options.databaseUrl) return elsewhere(options.databaseUrl, options.databaseOwnerUrl);
  const postgres = await startPostgres({ dataDir: options.dataDir });
  const ownerUrl = await postgres.database('fairlead');
  return {
    ownerUrl,
    urlFor: (role) => loggingIn(ownerUrl, role),
    where: `PostgreSQL ${postgres.how}, data in ${postgres.folder}`,
    lost: postgres.lost,
    stop: () => postgres.stop(),
  };
}

async function elsewhere(url: string, ownerUrl: string | undefined): Promise<Database> {
  const where = placeOf(url);
  for (const [name, address] of Object.entries({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl })) {
    const reason = address && (await firstAnswer(address));
    if (reason) throw new Error(`${name} does not lead to a usable database (${placeOf(address)}): ${reason}`);
  }
  return {
    ownerUrl: ownerUrl ?? url,
    async urlFor(role) {
      const limited = ownerUrl ? url : assuming(url, role);
      await assertHasRole(limited, role);
      return limited;
    },
    where,
    lost: new Promise(() => {}),
    stop: async () => {},
  };
}

function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
}

async function assertHasRole(url: string, role: ServerRole): Promise<void> {
  const reason = await hasRole(url, role).then(
    (has) => (has ? undefined : 'it is not a member'),
    (error: Error) => error.message,
  );
  if (reason)
    throw new Error(
      `The login of DATABASE_URL can not work as ${SERVER_ROLES[role]}: ${reason}.\n` +
        'What to do is said in docs/operations.md, under "Database roles".',
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
      // A five-character code is PostgreSQL's own refusal; 57P03 is "starting up", worth waiting for.
      const refused = code !== undefined && /^[0-9A-Z]{5}$/.test(code) && code !== '57P03';
      if (refused || Date.now() > until) return message || code || 'no answer';
    }
  }
}
