import type { Hono } from 'hono';
import type { Accounts } from '#server/accounts/accounts.ts';
import type { Deps } from '#server/deps.ts';
import type { RemoveExports } from '#server/exports/kept-exports.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import type { Connections } from '#server/process/open-connections.ts';
import type { Port } from '#server/process/open-port.ts';
import type { Shutdown } from '#server/process/shutdown.ts';
import type { Site } from '#server/process/site.ts';

/** What every footing is made of. */
export type FootingParts = Pick<Deps, 'db' | 'gate' | 'log' | 'siteUrl'>;

/** What a process has once it serves people. `appOf` returns the product API, once it is there. */
export type ServingParts = {
  deps: Deps;
  connections: Connections;
  site: Site;
  port: Port;
  sandboxUrl: string | undefined;
  shutdown: Shutdown;
  appOf(): Hono<HttpEnv>;
};

/** What browsers and the product API use of a footing. */
export type Serving = {
  /** What pages name themselves with in `apikey`. */
  backendKey: string;
  /** Where a page that was opened at `opened` finds Supabase's protocols. */
  backendUrlFor: Site['backendUrlFor'];
  /** Serves those protocols in this process; absent at hosted Supabase. */
  backend?: Hono;
  removeExports: RemoveExports;
  /** Frees the disk of files that no row names; absent at hosted Supabase, which does so itself. Returns how many. */
  sweepFiles?: () => Promise<number>;
};

/** What differs between our own backend and hosted Supabase. */
export type Footing = {
  accounts: Accounts;
  /** Checks signature, issuer, audience and expiry. */
  verifyAccessToken: Deps['verifyAccessToken'];
  /** Starts what serves people, and keeps their pages live, until `shutdown`. */
  serve(parts: ServingParts): Serving;
};
