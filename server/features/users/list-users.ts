import type { listUsers as endpoint } from '#contract/admin-users.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Ctx } from '#server/http/context.ts';
import { readAccounts } from './account.ts';

/** All accounts. What the CRM says of them is what the gate last heard: it is not asked here. */
export async function listUsers({ deps }: Ctx): Promise<DataOf<typeof endpoint>> {
  return { items: await readAccounts(deps.db) };
}
