import { type RawBuilder, sql } from 'kysely';
import type { ExportCompliance, ExportFilter } from '#contract/work/exports/export-choice.ts';
import type { exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import type { LeadRow } from '#contract/work/leads.ts';
import type { Db } from '#db/connection/client.ts';
import { inTransaction, type Tx } from '#db/connection/tx.ts';
import { keepingErasuresWaiting } from '#server/evidence/erase-evidence.ts';
import type { Input } from '#server/http/route.ts';
import { isChosen, isPresent, VERDICT } from '#server/leads/chosen-leads.ts';
import { EXTRA_THAT_MAY_LEAVE, NAMED_AND_HELD } from '#server/leads/held-cells.ts';
import { LEAD_COLUMNS, type StoredLead } from '#server/leads/lead-columns.ts';
import { MUST_NOT_BE_CALLED } from '#server/leads/no-calls.ts';
import type { Origin } from '#server/leads/origins/value-rights.ts';
import { IS_SUPPRESSED } from '#server/leads/suppressed.ts';
import { readNotedPart } from './note-export.ts';

/** Leads read at a time: the most that are in memory at once. */
const PAGE = 500;
/** Pages that leave together at most, as text: each transaction waits for the disk once. */
const MOST_PAGES_AT_ONCE = 8;
/** If the reader takes longer than this, in ms, pages leave one at a time: leads suppressed meanwhile must not be in them. */
const PROMPT_MS = 1_000;

export type Export = Input<typeof exportLeadsEndpoint>;
type Choice = Export['body'];
type Named = readonly (readonly [header: string, number: string])[];
/**
 * - `extra`: the columns of its file that are not ours, without those that name someone who is suppressed.
 * - `named`: numbers in such columns, as E.164; none before they are recorded.
 */
export type ExportedLead = LeadRow & Origin & { position: number; extra: Record<string, string>; named: Named };

/** What to read of a lead beyond the contract. Only a file that says where its values come from needs their `origin`. */
type Wanted = { extra: boolean; origin: boolean };
const EVERYTHING: Wanted = { extra: true, origin: true };
type Stored = StoredLead & Partial<Pick<ExportedLead, 'extra' | keyof Origin>> & { numbers?: Named | null };

/** Returns the ids of the leads of a page that the file holds. */
export type Keep = (tx: Tx, page: readonly ExportedLead[]) => Promise<readonly string[]>;

/** Reads the leads that an export is about, in the list's order, a page at a time. */
export async function* exportedLeads(db: Db, listId: string, choice: Choice): AsyncGenerator<ExportedLead[]> {
  for (let after = -1; ; ) {
    const rows = await readPage(db, pageOf(listId, choice, after));
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.position ?? after;
  }
}

type Noted = {
  listId: string;
  choice: Choice;
  wanted: Wanted;
  /** Which leads of a page leave; all by default. */
  keep?: Keep | undefined;
  /** Makes text of those that leave, and records what must be known about them, in the transaction that reads them. */
  write(tx: Tx, leads: readonly ExportedLead[]): Promise<Written>;
};
/** `leads`: how many are in the text. */
type Written = { text: string; leads: number };

/**
 * Returns the text of an export part by part. Each part is committed before it is returned.
 * The statement that reads leads also records them under `exportId`.
 */
export async function* notedText(db: Db, exportId: string, noted: Noted): AsyncGenerator<Written> {
  const { listId, choice, wanted, keep, write } = noted;
  const read = async (tx: Tx, page: RawBuilder<unknown>, part: number) =>
    (await readNotedPart<Stored>(tx, { exportId, part }, page, sql`${columnsOf(wanted)}, told.numbers`)).map(
      toExported,
    );
  let after = -1;
  let part = 0;
  let isLast = false;
  let atOnce = 1;
  while (!isLast) {
    const written = await inTransaction(db, async (tx) => {
      await keepingErasuresWaiting.execute(tx);
      const made: Written[] = [];
      while (made.length < atOnce && !isLast) {
        const page = pageOf(listId, choice, after);
        const looked = keep && (await readPage(tx, page));
        const kept = keep && looked && (await keep(tx, looked));
        const held = kept ? sql`select page.* from (${page}) as page where page.id = any(${kept}::uuid[])` : page;
        const leads = await read(tx, held, part);
        made.push(leads.length > 0 ? await write(tx, leads) : { text: '', leads: 0 });
        const all = looked ?? leads;
        part += 1;
        after = all.at(-1)?.position ?? after;
        isLast = all.length < PAGE;
      }
      return made;
    });
    const committed = performance.now();
    for (const page of written) if (page.leads > 0) yield page;
    atOnce = performance.now() - committed < PROMPT_MS ? Math.min(MOST_PAGES_AT_ONCE, 2 * atOnce) : 1;
  }
}

const FILTERS: Record<ExportFilter, RawBuilder<boolean>> = {
  all: sql`true`,
  has_emails: isPresent('email'),
  has_contacts: isPresent('owner'),
  fully_enriched: sql`${isPresent('email')} and ${isPresent('owner')} and lead.email_verified`,
};

const COMPLIANCE: Record<ExportCompliance, RawBuilder<boolean>> = {
  all_leads: sql`true`,
  clean: sql`${VERDICT} = 'safe' and not ${MUST_NOT_BE_CALLED}`,
};

/** Whether an export holds a lead. Whether it may be called is decided for each part, not for the whole list before the first line. */
export const isExported = (listId: string, choice: Choice) => sql<boolean>`
  ${isChosen(listId, { ...choice, matching: choice.matching && { ...choice.matching, call: undefined } })}
  and ${FILTERS[choice.filter]} and ${COMPLIANCE[choice.compliance]} and not ${IS_SUPPRESSED}`;

const ORIGIN = sql`lead.sources, lead.email_call_id, lead.owner_call_id, lead.email_check_call_id`;

const columnsOf = ({ extra, origin }: Wanted): RawBuilder<unknown> => {
  const columns = [LEAD_COLUMNS, ...(extra ? [EXTRA_THAT_MAY_LEAVE] : []), ...(origin ? [ORIGIN] : [])];
  return sql.join(columns);
};

const pageOf = (listId: string, choice: Choice, after: number): RawBuilder<unknown> => sql`
  select ${LEAD_COLUMNS}, lead.extra, ${ORIGIN}, lead.contact_keys
  from public.leads as lead
  where ${isExported(listId, choice)} and lead.position > ${after}
  order by lead.position limit ${PAGE}`;

async function readPage(db: Db, page: RawBuilder<unknown>): Promise<ExportedLead[]> {
  const { rows } = await sql<Stored>`
    with page as materialized (${page}), ${NAMED_AND_HELD}
    select ${columnsOf(EVERYTHING)} from page as lead left join held on held.id = lead.id order by lead.position
  `.execute(db);
  return rows.map(toExported);
}

/** Copies field by field: an object with some fields taken out would use ten times the memory. */
const toExported = (row: Stored): ExportedLead => ({
  id: row.id,
  position: row.position,
  business_name: row.business_name,
  address: row.address,
  phone: row.phone,
  website: row.website,
  email: row.email,
  email_confidence: row.email_confidence,
  owner_name: row.owner_name,
  owner_title: row.owner_title,
  email_verified: row.email_verified,
  email_status: row.email_status,
  email_checked_at: row.email_checked_at?.toISOString() ?? null,
  phone_type: row.phone_type,
  compliance_status: row.compliance_status,
  compliance_reason: row.compliance_reason,
  compliance_checked_at: row.compliance_checked_at?.toISOString() ?? null,
  service_area: row.service_area,
  extra: row.extra ?? {},
  named: row.numbers ?? [],
  sources: row.sources ?? {},
  email_call_id: row.email_call_id ?? null,
  owner_call_id: row.owner_call_id ?? null,
  email_check_call_id: row.email_check_call_id ?? null,
});
