import type { DataOf } from '#contract/endpoint.ts';
import { type listMetersEndpoint, METERED_PROVIDERS } from '#contract/money/meters.ts';
import type { Ctx } from '#server/http/context.ts';
import { compareMeter } from '#server/provider-balances/compare-meter.ts';

/** The last comparison with each provider that has a meter, under the key that is connected now. */
export async function listMeters({ deps: { db }, user: { userId } }: Ctx): Promise<DataOf<typeof listMetersEndpoint>> {
  const keys = await db
    .selectFrom('app.provider_keys')
    .select(['provider', 'fingerprint', 'sandbox'])
    .where('user_id', '=', userId)
    .execute();
  const metered = METERED_PROVIDERS.flatMap((provider) => {
    const key = keys.find((one) => one.provider === provider);
    return key ? [{ ...key, provider, userId }] : [];
  });
  const meters = await Promise.all(metered.map((key) => compareMeter(db, key)));
  return {
    meters: meters.filter((meter) => meter !== undefined),
    connected: metered.map((key) => key.provider),
  };
}
