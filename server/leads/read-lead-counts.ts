import { type RawBuilder, sql } from 'kysely';
import type { LeadCounts } from '#contract/work/lead-counts.ts';

import type { Db } from '#db/connection/client.ts';
import { DIGEST, IS_EXPIRED, isChosen, isPresent, type SettledChoice, VERDICT } from './chosen-leads.ts';
import { suppressedOf } from './suppressed.ts';

type Row = Omit<LeadCounts, 'exports'> & Record<`${'all' | 'email' | 'owner' | 'full'}_${'any' | 'clean'}`, number>;

/** How many leads of a list are meant, and what they have. `also`: what an export holds besides, as a condition on `lead`. */
export async function readLeadCounts(
  db: Db,
  listId: string,
  choice: SettledChoice,
  also?: RawBuilder<boolean>,
): Promise<LeadCounts> {
  const { rows } = await sql<Row>`
    select count(*)::integer as leads, ${DIGEST} as digest,
      count(*) filter (where has_email)::integer as emails,
      count(*) filter (where has_owner or has_title)::integer as contacts,
      count(*) filter (where verified is not null or has_status or phone_type <> '')::integer as verifications,
      count(*) filter (where checked)::integer as "emailChecks",
      count(*) filter (where from_open)::integer as "openData",
      count(*) filter (where verdict = 'safe')::integer as safe,
      count(*) filter (where verdict in ('dnc', 'litigator'))::integer as flagged,
      count(*) filter (where expired)::integer as expired,
      count(*) filter (where verdict = 'not_checked' and has_phone and not suppressed)::integer as unchecked,
      count(*) filter (where suppressed)::integer as suppressed,
      count(*) filter (where open)::integer as all_any,
      count(*) filter (where open and verdict = 'safe')::integer as all_clean,
      count(*) filter (where open and has_email)::integer as email_any,
      count(*) filter (where open and has_email and verdict = 'safe')::integer as email_clean,
      count(*) filter (where open and has_owner)::integer as owner_any,
      count(*) filter (where open and has_owner and verdict = 'safe')::integer as owner_clean,
      count(*) filter (where open and has_email and has_owner and verified)::integer as full_any,
      count(*) filter (where open and has_email and has_owner and verified and verdict = 'safe')::integer as full_clean
    from (
      select *, not suppressed and reachable as open from (
        select lead.id, coalesce(lead.email, '') <> '' as has_email, coalesce(lead.owner_name, '') <> '' as has_owner,
          coalesce(lead.owner_title, '') <> '' as has_title, lead.email_verified as verified, ${isPresent('phone')} as has_phone, lead.phone_type, lead.email_status is not null as has_status,
          lead.email_status is not null and lead.email_check_call_id is distinct from lead.email_call_id as checked, lead.open_id is not null as from_open,
          ${VERDICT} as verdict, ${IS_EXPIRED} as expired, held.id is not null as suppressed, ${also ?? sql`true`} as reachable
        from public.leads as lead left join ${suppressedOf(isChosen(listId, choice))} as held on held.id = lead.id
        where ${isChosen(listId, choice)}
        offset 0 -- or each count would look for suppressions again
      ) as lead
    ) as lead
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error('A count returned no row.');
  return {
    ...row,
    exports: {
      all: { all_leads: row.all_any, clean: row.all_clean },
      has_emails: { all_leads: row.email_any, clean: row.email_clean },
      has_contacts: { all_leads: row.owner_any, clean: row.owner_clean },
      fully_enriched: { all_leads: row.full_any, clean: row.full_clean },
    },
  };
}
