import { sql } from 'kysely';
import { isDatabaseGone } from '#db/connection/database-gone.ts';
import type { Standing } from '#db/roles/standing.ts';
import { AppError } from '#server/lib/app-error.ts';
import type { CrmDesk } from './crm-desk.ts';
import type { CrmDeps } from './refresh-tokens.ts';

/** What the CRM says of someone: `KEAP_ERROR` when it could not be asked. The values of profiles.crm_access. */
export type CrmVerdict = 'granted' | 'NO_CONTACT' | 'MISSING_TAG' | 'KEAP_ERROR';

/**
 * Decides about a (lower-case) address by its tags. Undefined where the CRM has no say.
 * It has none while no CRM is connected or no tag is required, which is part of the address's `standing`.
 */
export type CrmAccess = { decide(email: string, standing: Standing): Promise<CrmVerdict | undefined> };

/** Someone waits at a sign-in form for the whole of it, and only a part of that in the queue. Hosted Supabase waits 5 s in all. */
const DEADLINE_MS = 4_000;
const MOST_WAIT_MS = 2_000;
const REMEMBER_MS = 60_000;
const MOST_REMEMBERED = 5_000;

/** ANY required tag grants access. What was found is written to the person's profile and remembered for a minute. */
export function createCrmAccess(
  { db, log, crm }: Pick<CrmDeps, 'db' | 'log'> & { crm: CrmDesk },
  { rememberMs = REMEMBER_MS, deadlineMs = DEADLINE_MS } = {},
): CrmAccess {
  const remembered = new Map<string, { tagIds: string[] | undefined; until: number }>();

  async function tagIdsOf(email: string, connectedAt: string): Promise<string[] | undefined> {
    const key = `${connectedAt} ${email}`;
    const known = remembered.get(key);
    if (known && known.until > Date.now()) return known.tagIds;
    const signal = AbortSignal.timeout(deadlineMs);
    const tagIds = await crm.ask((port, token) => port.findTagIds(token, email, signal), {
      mostWaitMs: MOST_WAIT_MS,
      signal,
    });
    remembered.delete(key);
    remembered.set(key, { tagIds, until: Date.now() + rememberMs });
    for (const oldest of remembered.keys()) {
      if (remembered.size <= MOST_REMEMBERED) break;
      remembered.delete(oldest);
    }
    return tagIds;
  }

  async function verdictOf(email: string, required: readonly string[], connectedAt: string): Promise<CrmVerdict> {
    try {
      const tagIds = await tagIdsOf(email, connectedAt);
      if (!tagIds) return 'NO_CONTACT';
      return tagIds.some((id) => required.includes(id)) ? 'granted' : 'MISSING_TAG';
    } catch (error) {
      if (isDatabaseGone(error)) throw error;
      // A refusal of our own is expected while many ask: strangers must not fill the log with it.
      if (error instanceof AppError) log.info({ code: error.code }, 'the CRM was not asked about a person');
      else log.warn({ err: error }, 'the CRM could not be asked about a person');
      return 'KEAP_ERROR';
    }
  }

  return {
    async decide(email, { crm_connected_at: connectedAt, required_tags: required }) {
      if (!connectedAt || !required) return undefined;
      const verdict = await verdictOf(email, required, connectedAt);
      await db
        .updateTable('app.profiles')
        .set({ crm_access: verdict, crm_checked_at: now, ...grantOf(verdict) })
        .where(sql`lower(email)`, '=', email)
        .execute();
      return verdict;
    },
  };
}

const now = sql<Date>`now()`;

/** A refusal takes the grant back: anyone who was let go has no grace when the CRM cannot be asked later. */
function grantOf(verdict: CrmVerdict) {
  if (verdict === 'KEAP_ERROR') return {};
  return { crm_granted_at: verdict === 'granted' ? now : null };
}
