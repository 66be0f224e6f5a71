import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Hono } from 'hono';
import pg from 'pg';
import { BACKEND_TURNS, createInTurn } from '#backend/in-turn.ts';
import { createStorageApp } from '#backend/storage/app.ts';
import type { StorageOptions } from '#backend/storage/call.ts';
import { createFileStore, type FileStore } from '#backend/storage/file-store.ts';
import { connect } from '#db/connection/client.ts';
import { assuming } from '#db/roles/server-role.ts';
import { createVault } from '#db/sealed/vault.ts';
import { createTurns } from '#db/turns/turns.ts';

export const PUBLISHABLE_KEY = 'sb_publishable_test';
/** The vault of every server in a test. */
export const VAULT = createVault([Buffer.alloc(32, 1).toString('base64')]);
const SECRET_KEY = 'sb_secret_test';

export type Person = { id: string; token: string; storage: SupabaseClient['storage'] };
export type Storage = {
  url: string;
  /** The owner's. */
  pool: pg.Pool;
  folder: string;
  secretKey: string;
  files: FileStore;
  /** Files on disk, complete or not. */
  countFiles(): Promise<number>;
  /** What was logged as a failure of ours. */
  failures: object[];
  /** With the secret key. */
  service: SupabaseClient['storage'];
  anon: SupabaseClient['storage'];
  /** Someone with an active profile and a session. */
  person(name: string): Promise<Person>;
  stop(): Promise<void>;
};

/**
 * Storage over real HTTP on `connectionString`, with files in a folder of its own. Tokens are opaque here.
 * `asServer`: another way to the same database, which the server takes.
 */
export async function startStorage(
  connectionString: string,
  asServer = connectionString,
  whyKept?: StorageOptions['whyKept'],
): Promise<Storage> {
  const pool = new pg.Pool({ connectionString, max: 3 });
  const web = connect(assuming(asServer, 'web'));
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-storage-'));
  const files = createFileStore(join(folder, 'storage'));
  const failures: object[] = [];
  const tokens = new Map<string, { userId: string; sessionId: string }>();
  const app = new Hono().route(
    '/storage/v1',
    createStorageApp({
      ...web,
      files,
      ...(whyKept ? { whyKept } : {}),
      vault: VAULT,
      publishableKey: PUBLISHABLE_KEY,
      isService: (request) => request.headers.get('apikey') === SECRET_KEY,
      clientIp: () => '192.0.2.1',
      inTurn: createInTurn(createTurns(BACKEND_TURNS), () => '192.0.2.1'),
      async verifyAccessToken(token) {
        const known = tokens.get(token);
        return known && { ...known, claims: { sub: known.userId, role: 'authenticated', session_id: known.sessionId } };
      },
      log: { error: (details) => failures.push(details) },
    }),
  );
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const opened = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(opened));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const url = `http://127.0.0.1:${address.port}`;
  const insert = async (statement: string, values: string[]) =>
    (await pool.query<{ id: string }>(`${statement} returning *`, values)).rows[0]?.id ?? '';

  return {
    url,
    pool,
    folder,
    secretKey: SECRET_KEY,
    files,
    async countFiles() {
      let found = 0;
      for await (const some of files.listOlderThan(-1)) found += some.length;
      return found;
    },
    failures,
    service: createClient(url, SECRET_KEY).storage,
    anon: createClient(url, PUBLISHABLE_KEY).storage,
    async person(name) {
      const email = `${name}@people.example`;
      const id = await insert('insert into auth.users (email) values ($1)', [email]);
      await insert('insert into app.profiles (user_id, email) values ($1, $2)', [id, email]);
      const sessionId = await insert('insert into auth.sessions (user_id) values ($1)', [id]);
      const token = `token-${randomUUID()}`;
      tokens.set(token, { userId: id, sessionId });
      return { id, token, storage: createClient(url, PUBLISHABLE_KEY, { accessToken: async () => token }).storage };
    },
    async stop() {
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([pool.end(), web.db.destroy()]);
      await rm(folder, { recursive: true });
    },
  };
}
