import { hostedAccounts } from '#server/accounts/hosted/hosted-accounts.ts';
import { createHostedVerifier } from '#server/accounts/hosted/hosted-verifier.ts';
import type { HostedSupabase } from '#server/config/env.ts';
import { namingActor } from '#server/http/request-scope.ts';
import { startHostedLive } from '#server/live/start-hosted-live.ts';
import type { Footing, FootingParts } from './footing.ts';
import { fromHostedStorage } from './hosted-storage.ts';

/** A project of hosted Supabase keeps accounts, tokens and files, and tells pages what changes. */
export const hostedFooting = (supabase: HostedSupabase, parts: FootingParts): Footing => ({
  accounts: hostedAccounts({ ...parts, supabase }),
  verifyAccessToken: namingActor(createHostedVerifier(supabase)),
  serve({ deps, shutdown }) {
    shutdown.add(startHostedLive(deps, supabase).stop);
    return {
      backendKey: supabase.publishableKey,
      backendUrlFor: () => supabase.url,
      removeExports: fromHostedStorage(supabase),
    };
  },
});
