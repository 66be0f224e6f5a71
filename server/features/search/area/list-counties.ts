import { listCounties as countiesOfAtlas } from '#area/named/atlas.ts';
import { codeOf } from '#area/named/state-codes.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { countiesEndpoint } from '#contract/work/search/areas.ts';

/** Lists the counties that an area may be. */
export async function listCounties(): Promise<DataOf<typeof countiesEndpoint>> {
  return { counties: countiesOfAtlas().map(({ fips, name }) => ({ fips, name, state: codeOf(fips) ?? '' })) };
}
