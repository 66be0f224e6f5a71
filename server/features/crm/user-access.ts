import type { CrmAccess } from '#contract/admin/crm.ts';
import type { Ctx } from '#server/http/context.ts';
import { requiredTags } from './required-tags.ts';

const MOST_WAIT_MS = 10_000;

/** Asks the CRM now which required tags an address holds. What the gate remembers or has decided stays as it is. */
export async function userAccess({ deps, signal }: Ctx, { email }: { email: string }): Promise<CrmAccess> {
  const required = await requiredTags(deps.db);
  const found = await deps.crm.ask((crm, token) => crm.findTagIds(token, email.toLowerCase(), signal), {
    mostWaitMs: MOST_WAIT_MS,
    signal,
  });
  const held = found ?? [];
  const matches = required.filter(({ tag_id }) => held.includes(tag_id)).map(({ tag_id }) => ({ tag_id }));
  return { has_any: matches.length > 0, required, matches };
}
