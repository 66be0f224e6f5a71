import { createBackend } from '#backend/app.ts';
import { createTokenVerifier, type TokenVerifier } from '#backend/auth/tokens/access-token.ts';
import { REALTIME_CHANNELS } from '#backend/realtime/options.ts';
import { createRealtime } from '#backend/realtime/realtime.ts';
import { createFileStore } from '#backend/storage/file-store.ts';
import { sweepFiles } from '#backend/storage/sweep-files.ts';
import { ownAccounts } from '#server/accounts/own-accounts.ts';
import { authEventRecorder } from '#server/audit/record-auth-event.ts';
import { outboxOf } from '#server/config/env.ts';
import { fromOwnStorage } from '#server/features/exports/kept-exports.ts';
import { startOwnLive } from '#server/features/live/start-own-live.ts';
import { socketIpFinder } from '#server/http/client-ip.ts';
import { nameActor, namingActor } from '#server/http/request-scope.ts';
import { textSender } from '#server/mail/text-message.ts';
import type { Footing, FootingParts, Serving, ServingParts } from './footing.ts';
import { productFunctions } from './product-functions.ts';
import { publishableKeys } from './publishable-keys.ts';

/** What the backend listens to. */
export const BACKEND_CHANNELS = [...REALTIME_CHANNELS, 'pgrst'];

/** Our own backend, in this process: sign-in, data, stored files, functions and Realtime. The only place that knows `#backend`. */
export function ownFooting({ db, siteUrl }: FootingParts): Footing {
  const issuer = `${siteUrl}/auth/v1`;
  const verifier = createTokenVerifier({ db, issuer });
  return {
    accounts: ownAccounts(db),
    verifyAccessToken: namingActor((token) => verifier.verify(token)),
    serve: (parts) => serveBackend(parts, issuer, verifier),
  };
}

function serveBackend(
  { deps, connections, site, port, sandboxUrl, shutdown, appOf }: ServingParts,
  issuer: string,
  verifier: TokenVerifier,
): Serving {
  const { env, providers } = deps;
  const { signIn, data, requests } = connections;
  const { publishableKey, formerKeys } = publishableKeys(deps.vault);
  const verifyAccessToken = namingActor((token) => verifier.verify(token));
  const known = new Set([publishableKey, ...formerKeys]);
  const realtime = createRealtime({
    ...deps,
    ...connections.realtime,
    verifyAccessToken,
    isKey: (key) => known.has(key),
    socketIp: socketIpFinder(env.trustProxy),
  });
  port.upgradeBy(realtime.upgrade);
  shutdown.add(realtime.stop);
  shutdown.add(startOwnLive(deps, realtime.audience).stop);
  // The sandbox's text messages reach someone only where there is a mailbox.
  const sms = env.twilio || outboxOf(env) ? providers.sms : undefined;
  const files = createFileStore(env.storageDir);
  const backend = createBackend({
    ...deps,
    db: signIn.db,
    pool: data.pool,
    verifyAccessToken,
    issuer,
    onEvent: authEventRecorder(deps.vault),
    onActor: nameActor,
    sendSms: sms && textSender(sms),
    allowedRedirects: site.origins,
    identityProviders: env.identityProviders.map((one) => ({ ...one, issuer: one.issuer ?? `${sandboxUrl}/oidc` })),
    allowedOrigins: site.origins,
    publishableKey,
    formerKeys,
    secretKey: env.secretKey,
    files,
    functions: productFunctions(appOf),
    realtime,
  });
  return {
    backend,
    backendKey: publishableKey,
    backendUrlFor: site.backendUrlFor,
    removeExports: fromOwnStorage(deps.db),
    sweepFiles: () => sweepFiles(requests.pool, files),
  };
}
