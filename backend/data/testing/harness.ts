import { randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Hono } from 'hono';
import pg from 'pg';
import { createDataApp } from '#backend/data/app.ts';
import type { VerifiedToken } from '#backend/data/caller.ts';
import { BACKEND_TURNS, createInTurn } from '#backend/in-turn.ts';
import { connect } from '#db/connection/client.ts';
import { listen } from '#db/notifications.ts';
import { assuming } from '#db/roles/server-role.ts';
import { createTurns, type Turns } from '#db/turns/turns.ts';

export const PUBLISHABLE_KEY = 'sb_publishable_test';

export type Person = { userId: string; sessionId: string; token: string; client: SupabaseClient };
export type DataApi = {
  url: string;
  /** The owner's. */
  pool: pg.Pool;
  /** The one that the API works with. */
  webPool: pg.Pool;
  /** The same for heavy reads. */
  slowPool: pg.Pool;
  /** What people have of it at a time. */
  turns: Turns;
  anon: SupabaseClient;
  /** What the API reported to its log. */
  logged: { details: object; message: string }[];
  /** Someone with an active profile and a session. */
  person(name: string): Promise<Person>;
  /** Inserts a list past row-level security; answers its id. */
  list(owner: Person, columns?: Record<string, unknown>): Promise<string>;
  /** Inserts a lead past row-level security; answers its id. */
  lead(listId: string, columns?: Record<string, unknown>): Promise<string>;
  /** The API called without a client library. */
  raw(path: string, init?: RequestInit & { token?: string }): Promise<Response>;
  stop(): Promise<void>;
};

/** The data API over real HTTP on `connectionString`. Tokens are opaque here: the auth room has its own tests. */
export async function startDataApi(connectionString: string): Promise<DataApi> {
  const pool = new pg.Pool({ connectionString, max: 5 });
  const { db, pool: webPool } = connect(assuming(connectionString, 'web'), { max: 5 });
  const { db: slowDb, pool: slowPool } = connect(assuming(connectionString, 'web'), { max: 1 });
  const notifications = await listen(connectionString, ['pgrst']);
  const tokens = new Map<string, VerifiedToken>();
  const logged: DataApi['logged'] = [];
  const turns = createTurns(BACKEND_TURNS);
  const app = new Hono().route(
    '/rest/v1',
    createDataApp({
      pool: webPool,
      slowPool,
      publishableKey: PUBLISHABLE_KEY,
      notifications,
      isService: () => false,
      inTurn: createInTurn(turns, () => '192.0.2.1'),
      verifyAccessToken: async (token) => tokens.get(token),
      log: { error: (details, message) => void logged.push({ details, message }) },
    }),
  );
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const opened = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(opened));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const url = `http://127.0.0.1:${address.port}`;
  const clientFor = (token?: string) =>
    createClient(url, PUBLISHABLE_KEY, token === undefined ? {} : { accessToken: async () => token });

  const insert = async (table: string, columns: Record<string, unknown>): Promise<string> => {
    const names = Object.keys(columns);
    const { rows } = await pool.query<{ id: string }>(
      `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning id`,
      Object.values(columns),
    );
    return rows[0]?.id ?? '';
  };
  let position = 0;

  return {
    url,
    pool,
    webPool,
    slowPool,
    turns,
    logged,
    anon: clientFor(),
    async person(name) {
      const email = `${name}@people.example`;
      const userId = await insert('auth.users', { email });
      await pool.query('insert into app.profiles (user_id, email) values ($1, $2)', [userId, email]);
      const sessionId = await insert('auth.sessions', { user_id: userId });
      const token = `token-${randomUUID()}`;
      tokens.set(token, {
        userId,
        sessionId,
        claims: { sub: userId, role: 'authenticated', session_id: sessionId, email },
      });
      return { userId, sessionId, token, client: clientFor(token) };
    },
    list: (owner, columns = {}) =>
      insert('public.lists', { user_id: owner.userId, name: 'Bakers in Springfield, IL', ...columns }),
    lead(listId, columns = {}) {
      position += 1;
      return insert('public.leads', { list_id: listId, position, business_name: 'Crumb & Co', ...columns });
    },
    raw: (path, { token, ...init } = {}) => {
      const headers = new Headers(init.headers);
      if (token) headers.set('Authorization', `Bearer ${token}`);
      return fetch(`${url}/rest/v1/${path}`, { ...init, headers });
    },
    async stop() {
      await new Promise((resolve) => server.close(resolve));
      await notifications.stop();
      await Promise.all([pool.end(), db.destroy(), slowDb.destroy()]);
    },
  };
}
