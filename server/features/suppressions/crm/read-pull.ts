import { sql } from 'kysely';
import type { CrmPull } from '#contract/calling/suppression-sources.ts';
import type { Db } from '#db/connection/client.ts';
import { IS_SUPPRESSED } from '#server/leads/suppressed.ts';
import { isSandboxConnection } from './is-sandbox-connection.ts';
import { EXAMPLES, refusedText } from './left-out.ts';
import { crmName } from './pull.ts';

type Row = {
  lease: boolean;
  waits: boolean;
  wanted: boolean;
  connected: boolean;
  started_at: Date | null;
  ended_at: Date | null;
  complete_at: Date | null;
  failure: string | null;
  left_out: string | null;
  crm_tag_before: string | null;
  contacts: number;
  addresses: number;
  added: number;
};

/** How the pull of opt-outs stands. */
export async function readPull(db: Db): Promise<CrmPull> {
  const { rows } = await sql<Row>`
    select coalesce(pull.lease_expires_at > now(), false) as lease,
      coalesce(pull.asked_at > pull.started_at or (pull.asked_at is not null and pull.started_at is null), false) as waits,
      settings.crm_statuses or settings.crm_tag_id is not null as wanted,
      exists (select from app.crm_connection where sealed_access_token is not null) as connected,
      started_at, ended_at, complete_at, failure, left_out, crm_tag_before, contacts, addresses, added
    from app.crm_pull as pull, app.suppression_settings as settings
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The state of the pull is gone.');
  const sandbox = await isSandboxConnection(db);
  const parts = [row.left_out, await refusedNow(db, crmName(sandbox))].filter(Boolean);
  return {
    state: stateOf(row),
    sandbox,
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    completeAt: row.complete_at?.toISOString() ?? null,
    failure: row.failure,
    leftOut: parts.length > 0 ? parts.join(' ') : null,
    tagBefore: row.crm_tag_before,
    contacts: row.contacts,
    addresses: row.addresses,
    added: row.added,
  };
}

/** Addresses that the CRM did not take when it was last asked, in words. Those that are held back by now count no more. */
async function refusedNow(db: Db, crm: string): Promise<string | undefined> {
  const { rows } = await sql<{ email: string; total: number }>`
    select lead.email, count(*) over ()::integer as total
    from app.crm_asked as asked join public.leads as lead on lead.id = asked.refused_lead
    where asked.refused_lead is not null and (select crm_statuses from app.suppression_settings) and not ${IS_SUPPRESSED}
      and asked.hash = any(app.contact_hashes(array_remove(array[app.suppression_key('email', lead.email)], null)))
    order by asked.asked_at desc, lead.email limit ${EXAMPLES}
  `.execute(db);
  return refusedText(
    crm,
    rows.map(({ email }) => email),
    rows[0]?.total ?? 0,
  );
}

function stateOf({ lease, waits, wanted, connected }: Row): CrmPull['state'] {
  if (!wanted) return 'off';
  if (!connected) return 'not_connected';
  if (lease) return 'running';
  return waits ? 'waiting' : 'idle';
}
