import type { Logger } from 'pino';
import type { Db } from '#db/connection/client.ts';
import type { Notifications } from '#db/notifications.ts';
import type { Vault } from '#db/sealed/vault.ts';
import type { Queue } from '#jobs/queue.ts';
import type { Providers } from '#providers/registry.ts';
import type { Gate } from './access/gate.ts';
import type { AccessClaims } from './accounts/access-claims.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { Apart } from './apart/apart.ts';
import type { Env } from './config/env.ts';
import type { CrmDesk } from './crm/crm-desk.ts';
import type { ClientIp } from './http/client-ip.ts';
import type { Mail } from './mail/mail.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Importer } from './open-data/load/importer.ts';
import type { Websites } from './websites/visit-websites.ts';

/** Everything that verbs need from outside, made once in main.ts. */
export type Deps = {
  env: Env;
  /** Address of the site as people open it, without a slash at the end. */
  siteUrl: string;
  db: Db;
  vault: Vault;
  providers: Providers;
  websites: Websites;
  queue: Queue;
  notifications: Notifications;
  log: Logger;
  metrics: Metrics;
  clientIp: ClientIp;
  /** Aborts when this process takes no more requests: who waits for what goes on elsewhere has to wait there. */
  stopping: AbortSignal;
  gate: Gate;
  accounts: Accounts;
  crm: CrmDesk;
  /** Loads open data in a process of its own. */
  importer: Importer;
  /** Answers in a process of its own what takes long. Absent where there is none. */
  apart?: Apart;
  /**
   * Resolves when the mail is on its way, or kept.
   * @throws Error when neither is possible.
   */
  sendMail(mail: Mail): Promise<void>;
  /** Checks signature, issuer, audience and expiry. */
  verifyAccessToken(token: string): Promise<AccessClaims | undefined>;
};
