import { BACKEND_CHANNELS, type Backend, createBackend } from '#backend/backend.ts';
import { EXPORTS_BUCKET } from '#contract/work/exports/export-archive.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { ownAccounts } from '#server/accounts/own-accounts.ts';
import { authEventRecorder } from '#server/audit/record-auth-event.ts';
import { whyKept } from '#server/exports/held-since.ts';
import { fromOwnStorage } from '#server/exports/kept-exports.ts';
import { socketIpFinder } from '#server/http/client-ip.ts';
import { nameActor, namingActor } from '#server/http/request-scope.ts';
import { startOwnLive } from '#server/live/start-own-live.ts';
import { textSender, textsOf } from '#server/mail/text-message.ts';
import type { Footing, FootingParts, Serving, ServingParts } from './footing.ts';
import { productFunctions } from './product-functions.ts';

/** What it listens to. */
export const OWN_CHANNELS = BACKEND_CHANNELS;

/** Our own backend, in this process: sign-in, data, stored files, functions and Realtime. */
export function ownFooting({ db, siteUrl }: FootingParts): Footing {
  const backend = createBackend({ db, issuer: `${siteUrl}/auth/v1` });
  const verifyAccessToken = namingActor(backend.verifyAccessToken);
  return {
    accounts: ownAccounts(db),
    verifyAccessToken,
    serve: (parts) => serveBackend(backend, verifyAccessToken, parts),
  };
}

function serveBackend(
  backend: Backend,
  verifyAccessToken: Backend['verifyAccessToken'],
  { deps, connections, site, port, sandboxUrl, shutdown, appOf }: ServingParts,
): Serving {
  const { env } = deps;
  const { signIn, data, slow, requests, realtime } = connections;
  const { publishableKey, formerKeys } = publishableKeys(deps.vault);
  const sms = textsOf(deps);
  const served = backend.serve({
    ...deps,
    db: signIn.db,
    pool: data.pool,
    slowPool: slow.pool,
    verifyAccessToken,
    onEvent: authEventRecorder(deps.vault),
    onActor: nameActor,
    sendSms: sms && textSender(sms),
    allowedRedirects: site.origins,
    identityProviders: env.identityProviders.map((one) => ({ ...one, issuer: one.issuer ?? `${sandboxUrl}/oidc` })),
    allowedOrigins: site.origins,
    publishableKey,
    formerKeys,
    secretKey: env.secretKey,
    functions: productFunctions(appOf),
    realtime,
    socketIp: socketIpFinder(env.trustProxy),
    storage: { folder: env.storageDir, pool: requests.pool },
    whyKept: async ({ bucket, name }) => (bucket === EXPORTS_BUCKET ? whyKept(deps.db, name) : undefined),
  });
  port.upgradeBy(served.upgrade);
  shutdown.add(served.stop);
  shutdown.add(startOwnLive(deps, served.audience).stop);
  return {
    backend: served.app,
    backendKey: publishableKey,
    backendUrlFor: site.backendUrlFor,
    removeExports: fromOwnStorage(deps.db),
    sweepFiles: served.sweepFiles,
  };
}

/** What pages name themselves with at our own backend, made from the encryption keys: the one given out, and those of before a rotation. */
function publishableKeys(vault: Vault): { publishableKey: string; formerKeys: string[] } {
  const [publishableKey = '', ...formerKeys] = vault
    .fingerprints('publishable key')
    .map((print) => `sb_publishable_${print.slice(0, 32)}`);
  return { publishableKey, formerKeys };
}
