import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  createClient,
  type RealtimeChannel,
  type RealtimeClientOptions,
  type RealtimePostgresChangesPayload,
  type SupabaseClient,
} from '@supabase/supabase-js';
import { Hono } from 'hono';
import pg from 'pg';
import { expect } from 'vitest';
import type { VerifiedToken, VerifyAccessToken } from '#backend/data/caller.ts';
import { createBroadcastApp } from '#backend/realtime/broadcast-app.ts';
import type { RealtimeLimits } from '#backend/realtime/limits.ts';
import { REALTIME_CHANNELS } from '#backend/realtime/options.ts';
import { createRealtime, type Realtime } from '#backend/realtime/realtime.ts';
import { connect } from '#db/connection/client.ts';
import { listen } from '#db/notifications.ts';
import { assuming } from '#db/roles/server-role.ts';

export const PUBLISHABLE_KEY = 'sb_publishable_test';
export const SECRET_KEY = 'sb_secret_test';

export type Process = { url: string; realtime: Realtime; stop(): Promise<void> };
export type Person = {
  userId: string;
  sessionId: string;
  /** A token that ends in `seconds`. */
  token(seconds?: number): string;
  /** supabase-js with a token that it asks for again at each heartbeat. */
  client(process: Process, options?: RealtimeClientOptions & { token?: () => string }): SupabaseClient;
};

/** One database; processes with sockets of their own. Tokens are opaque: the auth room has its own tests. */
export async function startHarness(databaseUrl: string) {
  const owner = new pg.Pool({ connectionString: databaseUrl, max: 5 });
  const tokens = new Map<string, VerifiedToken>();
  const stops: (() => Promise<unknown>)[] = [];
  const clients: SupabaseClient[] = [];
  const logged: string[] = [];

  const insert = async (table: string, columns: Record<string, unknown>): Promise<string> => {
    const names = Object.keys(columns);
    const values = names.map((_, at) => `$${at + 1}`).join(', ');
    const { rows } = await owner.query<{ id: string }>(
      `insert into ${table} (${names.join(', ')}) values (${values}) returning *`,
      Object.values(columns),
    );
    return rows[0]?.id ?? '';
  };
  let position = 0;
  const knownToken: VerifyAccessToken = async (token) => tokens.get(token);

  return {
    databaseUrl,
    owner,
    knownToken,
    logged,
    /** `port`: the one of a process that was stopped. `verify`: instead of knowing the tokens of the people here. */
    async process({
      limits = {},
      port = 0,
      verify = knownToken,
    }: {
      limits?: Partial<RealtimeLimits>;
      port?: number;
      verify?: VerifyAccessToken;
    } = {}): Promise<Process> {
      const { db, pool } = connect(assuming(databaseUrl, 'web'));
      const notifications = await listen(databaseUrl, [...REALTIME_CHANNELS, 'pgrst']);
      const realtime = createRealtime({
        db,
        pool,
        notifications,
        // One person has many clients here.
        limits: { socketsOfPerson: 100, ...limits },
        isKey: (key) => key === PUBLISHABLE_KEY,
        verifyAccessToken: verify,
        socketIp: () => '192.0.2.1',
        log: { warn: (_fields, message) => void logged.push(message) },
      });
      const isService = (request: Request) => request.headers.get('apikey') === SECRET_KEY;
      const app = new Hono().route('/realtime/v1', createBroadcastApp(realtime.hub, isService));
      const server = createServer(getRequestListener(app.fetch));
      server.on('upgrade', realtime.upgrade);
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      let stopping: Promise<void> | undefined;
      const stop = () => {
        stopping ??= (async () => {
          await realtime.stop();
          server.closeAllConnections();
          await new Promise((resolve) => server.close(resolve));
          await notifications.stop();
          await db.destroy();
        })();
        return stopping;
      };
      stops.push(stop);
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, realtime, stop };
    },
    async person(name: string): Promise<Person> {
      const email = `${name}-${randomUUID().slice(0, 8)}@people.example`;
      const userId = await insert('auth.users', { email });
      await insert('app.profiles', { user_id: userId, email });
      const sessionId = await insert('auth.sessions', { user_id: userId });
      const token = (seconds = 3_600) => {
        const exp = Math.ceil(Date.now() / 1_000) + seconds;
        const claims = { sub: userId, role: 'authenticated', session_id: sessionId, email, exp };
        const written = `e30.${Buffer.from(JSON.stringify({ exp, n: tokens.size })).toString('base64url')}.`;
        tokens.set(written, { userId, sessionId, claims });
        return written;
      };
      return {
        userId,
        sessionId,
        token,
        client(process, { token: renew, ...realtime } = {}) {
          const first = token();
          const client = createClient(process.url, PUBLISHABLE_KEY, {
            accessToken: async () => (renew ?? (() => first))(),
            realtime,
          });
          clients.push(client);
          return client;
        },
      };
    },
    list: (of: Person, columns: Record<string, unknown> = {}) =>
      insert('public.lists', { user_id: of.userId, name: 'Bakers in Salem, MA', ...columns }),
    lead(listId: string, columns: Record<string, unknown> = {}) {
      position += 1;
      return insert('public.leads', { list_id: listId, position, business_name: 'Crumb & Co', ...columns });
    },
    async stop() {
      await Promise.all(clients.map((client) => client.realtime.disconnect()));
      await Promise.all(stops.map((stop) => stop()));
      await owner.end();
    },
  };
}
export type Harness = Awaited<ReturnType<typeof startHarness>>;

/** Subscribes with a token, and waits until the server has let it in. What became of it is added to `statuses`. */
export async function subscribed(channel: RealtimeChannel, statuses: string[] = []): Promise<RealtimeChannel> {
  await channel.socket.setAuth();
  channel.subscribe((status, error) => void statuses.push(error ? `${status} ${error.message}` : status));
  await expect.poll(() => statuses.at(-1)).toBe('SUBSCRIBED');
  return channel;
}

export type Told = RealtimePostgresChangesPayload<Record<string, unknown>>;

/** What a channel is told of changes, as it comes. */
export async function changesOf(
  client: SupabaseClient,
  options: { table?: string; filter?: string; event?: '*'; select?: string[] },
): Promise<Told[]> {
  const told: Told[] = [];
  const wish = { event: '*' as const, schema: 'public', ...options };
  await subscribed(client.channel(randomUUID()).on('postgres_changes', wish, (one: Told) => void told.push(one)));
  return told;
}
