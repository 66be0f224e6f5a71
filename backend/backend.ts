import type { Hono } from 'hono';
import type { Pool } from 'pg';
import type { Db } from '#db/connection/client.ts';
import { type BackendOptions, createBackendApp } from './app.ts';
import { createTokenVerifier, type TokenVerifier } from './auth/tokens/access-token.ts';
import { REALTIME_CHANNELS, type RealtimeOptions } from './realtime/options.ts';
import { createRealtime, type Realtime } from './realtime/realtime.ts';
import { createFileStore } from './storage/file-store.ts';
import { sweepFiles } from './storage/sweep-files.ts';

export { endAllSessions, prepareNextKey, REVOKED_NOTICED_MS, revokeKeys } from './auth/tokens/signing-keys.ts';

/** What the backend listens to. */
export const BACKEND_CHANNELS = [...REALTIME_CHANNELS, 'pgrst'];

/** What the product needs of the rest of this folder. Nothing outside imports more than this file. */
export type Backend = {
  /** Checks signature, issuer, audience and expiry. */
  verifyAccessToken: TokenVerifier['verify'];
  /** Begins to serve Supabase's protocols in this process. */
  serve(options: ServeOptions): ServedBackend;
};

/** `realtime`: connections of its own. */
type ServeOptions = Omit<BackendOptions, 'issuer' | 'files' | 'realtime'> & {
  realtime: Pick<RealtimeOptions, 'db' | 'pool'>;
  socketIp: RealtimeOptions['socketIp'];
  /** Must listen on `BACKEND_CHANNELS`. */
  notifications: RealtimeOptions['notifications'];
  log: RealtimeOptions['log'];
  /** The folder of stored files, and connections that may delete what no row names. */
  storage: { folder: string; pool: Pick<Pool, 'query'> };
};

type ServedBackend = {
  app: Hono;
  /** Opens the sockets of Realtime. */
  upgrade: Realtime['upgrade'];
  /** Who listens to private channels in this process. */
  audience: Realtime['audience'];
  /** Frees the disk of files that no row names. Returns how many. */
  sweepFiles(): Promise<number>;
  /** Closes the sockets. */
  stop: Realtime['stop'];
};

/** Our own backend, which stands in hosted Supabase's place. `issuer`: the `iss` of its access tokens. */
export function createBackend({ db, issuer }: { db: Db; issuer: string }): Backend {
  const verifier = createTokenVerifier({ db, issuer });
  return {
    verifyAccessToken: (token) => verifier.verify(token),
    serve({ realtime: connections, socketIp, storage, ...options }) {
      const { publishableKey, formerKeys = [], verifyAccessToken, notifications, log } = options;
      const known = new Set([publishableKey, ...formerKeys]);
      const isKey = (key: string) => known.has(key);
      const realtime = createRealtime({ ...connections, verifyAccessToken, isKey, socketIp, notifications, log });
      const files = createFileStore(storage.folder);
      return {
        app: createBackendApp({ ...options, issuer, files, realtime }),
        upgrade: realtime.upgrade,
        audience: realtime.audience,
        sweepFiles: () => sweepFiles(storage.pool, files),
        stop: realtime.stop,
      };
    },
  };
}
