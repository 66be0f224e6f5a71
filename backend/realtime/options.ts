import type { IncomingMessage } from 'node:http';
import type { Pool } from 'pg';
import type { VerifyAccessToken } from '#backend/data/caller.ts';
import type { Db } from '#db/connection/client.ts';
import type { Notifications } from '#db/notifications.ts';
import type { RealtimeLimits } from './limits.ts';

/** What PostgreSQL notifies of, and must be listened to: changed rows, messages of other processes, ended sessions. */
export const REALTIME_CHANNELS = ['realtime_change', 'realtime_message', 'session_ended'] as const;

export type RealtimeOptions = {
  db: Db;
  /** Connections of a role that may become authenticated. */
  pool: Pool;
  /** Whether a socket that was opened with this key may stay. */
  isKey(key: string): boolean;
  verifyAccessToken: VerifyAccessToken;
  /** Must listen on `REALTIME_CHANNELS`. */
  notifications: Pick<Notifications, 'connected' | 'on' | 'onReconnect'>;
  /** The address that sockets are counted for. */
  socketIp(request: IncomingMessage): string;
  log: { warn(fields: object, message: string): void };
  limits?: Partial<RealtimeLimits>;
};
