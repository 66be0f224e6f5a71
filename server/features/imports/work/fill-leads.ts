import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { SourcesOf } from '#server/leads/origins/told-values.ts';
import { againstCalls, FILLED_COLUMNS, type FillableLead, type Filling, fillEmpty, isChange } from './fill-empty.ts';
import type { NewRow } from './store-rows.ts';
import { type ColumnsLeftOut, tellLeftOut } from './tell-left-out.ts';

/**
 * A row and the lead that is the same business.
 * - `fills`: all that the lead lacks, or only that it must not be called.
 */
export type FillingRow = NewRow & { leadId: string; fills: 'all' | 'no_calls' };

/**
 * Fills empty fields of leads from rows, in the order of the rows, and keeps what stood there before.
 * Returns the rows whose lead is gone, or in a list that was archived since, and how many leads' rows changed something.
 */
export async function fillLeads(
  tx: Tx,
  { importId, userId, sourcesOf }: { importId: string; userId: string; sourcesOf: SourcesOf },
  rows: readonly FillingRow[],
): Promise<{ gone: NewRow[]; filled: number }> {
  if (rows.length === 0) return { gone: [], filled: 0 };
  const leads = await lockLeads(
    tx,
    userId,
    rows.map(({ leadId }) => leadId),
  );
  const fillings: (Filling & { row: number })[] = [];
  const gone: NewRow[] = [];
  const leftOut: ColumnsLeftOut[] = [];
  for (const { row, read, leadId, fills } of rows) {
    const lead = leads.get(leadId);
    if (!lead) {
      gone.push({ row, read });
      continue;
    }
    const filler = fills === 'all' ? read : { ...read, values: {}, extra: againstCalls(read.extra) };
    const { filling, leftOut: extra } = fillEmpty(lead, filler, sourcesOf(read));
    if (Object.keys(extra).length > 0) leftOut.push({ row, extra });
    if (!filling) continue;
    leads.set(leadId, filling.lead);
    fillings.push({ ...filling, row });
  }
  if (fillings.length > 0) await write(tx, importId, fillings, leads);
  await tellLeftOut(tx, importId, leftOut);
  return { gone, filled: fillings.filter(isChange).length };
}

async function lockLeads(tx: Tx, userId: string, ids: readonly string[]): Promise<Map<string, FillableLead>> {
  const { rows } = await sql<FillableLead>`
    select lead.id, lead.list_id, lead.sources, lead.extra, lead.compliance_reason, list.compliance_checked as checked,
      ${sql.join(FILLED_COLUMNS.map((column) => sql.ref(`lead.${column}`)))}
    from public.leads as lead join public.lists as list on list.id = lead.list_id
    where lead.id = any(${ids}::uuid[]) and list.user_id = ${userId} and list.sandbox is not true
      and list.lifecycle_status = 'active'
    order by lead.id for update of lead
  `.execute(tx);
  return new Map(rows.map((lead) => [lead.id, lead]));
}

async function write(
  tx: Tx,
  importId: string,
  fillings: readonly (Filling & { row: number })[],
  leads: ReadonlyMap<string, FillableLead>,
): Promise<void> {
  const given = [...new Set(fillings.filter(isChange).map(({ lead }) => lead.id))].map((id) => leads.get(id));
  await sql`
    update public.leads as lead
    set ${sql.join(FILLED_COLUMNS.map((column) => sql`${sql.ref(column)} = given ->> ${column}::text`))},
      sources = given -> 'sources', extra = given -> 'extra'
    from jsonb_array_elements(${JSON.stringify(given)}::jsonb) as given
    where lead.id = (given ->> 'id')::uuid
  `.execute(tx);
  const kept = fillings.map(({ row, lead, before, after, originals }) => ({
    row,
    lead: lead.id,
    before,
    after,
    originals,
  }));
  await sql`
    insert into app.import_updates (import_id, row, lead_id, before, after, originals)
    select ${importId}::uuid, (given ->> 'row')::integer, (given ->> 'lead')::uuid, given -> 'before', given -> 'after',
      given -> 'originals'
    from jsonb_array_elements(${JSON.stringify(kept)}::jsonb) as given
  `.execute(tx);
  await flagLists(tx, fillings);
}

/** Lists say whether they have emails and owners, and no longer that all of their numbers are checked. */
async function flagLists(tx: Tx, fillings: readonly Filling[]): Promise<void> {
  const listsWith = (isMeant: (filling: Filling) => boolean) => [
    ...new Set(fillings.filter(isMeant).map(({ lead }) => lead.list_id)),
  ];
  const emails = listsWith(({ after }) => after.email !== undefined);
  const owners = listsWith(({ after }) => after.owner_name !== undefined);
  const phones = listsWith(({ before }) => before.checked === true);
  await sql`
    update public.lists set has_emails = has_emails or id = any(${emails}::uuid[]),
      has_contacts = has_contacts or id = any(${owners}::uuid[]),
      compliance_checked = compliance_checked and not id = any(${phones}::uuid[])
    where (id = any(${emails}::uuid[]) and not has_emails) or (id = any(${owners}::uuid[]) and not has_contacts)
      or (id = any(${phones}::uuid[]) and compliance_checked)
  `.execute(tx);
}
