import type { listKeysEndpoint } from '#contract/account/api-keys.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { PROVIDER_CATALOGUE, PROVIDER_IDS } from '#contract/providers.ts';
import type { Ctx } from '#server/http/context.ts';

/** One entry for each provider of the catalogue, connected or not. Keys themselves are never read here. */
export async function listKeys({ deps, user }: Ctx): Promise<DataOf<typeof listKeysEndpoint>> {
  const stored = await deps.db
    .selectFrom('app.provider_keys')
    .select(['provider', 'last_four', 'last_used_at'])
    .where('user_id', '=', user.userId)
    .execute();
  return {
    apiKeys: PROVIDER_IDS.map((provider) => {
      const row = stored.find((key) => key.provider === provider);
      return {
        provider,
        isConnected: row !== undefined,
        keyName: PROVIDER_CATALOGUE[provider].name,
        maskedKey: row ? `••••${row.last_four}` : null,
        lastUsed: row?.last_used_at?.toISOString() ?? null,
      };
    }),
  };
}
