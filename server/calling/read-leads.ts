import { setImmediate as othersTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { CallQuestion } from '#calling/verdict.ts';
import { type ComplianceStatus, readComplianceStatus, VERDICT_VALID_MS } from '#contract/work/compliance.ts';
import type { Db } from '#db/connection/client.ts';
import { MUST_NOT_BE_CALLED } from '#server/leads/no-calls.ts';
import { type Counting, type RecentCalls, readRecentCalls } from '#server/leads/recent-calls.ts';
import { suppressedOf } from '#server/leads/suppressed.ts';
import { chunks } from '#server/lib/chunks.ts';

/** Leads that are looked at before others have their turn. */
const AT_ONCE = 2_000;

/** `checkedAt`: when its number was checked, in ms since 1970. */
export type LeadQuestion = { id: string; position: number; question: CallQuestion; checkedAt: number | undefined };

/**
 * What is known of leads for a verdict at a moment, in their order, some at a time. `condition` on public.leads as `lead` and
 * public.lists as `list`.
 */
export async function* questionsInParts(
  db: Db,
  condition: RawBuilder<boolean>,
  counting: Counting,
): AsyncGenerator<LeadQuestion[]> {
  const recent = await readRecentCalls(db, counting);
  // In one statement, so that nothing changes between two. The text of a lead is one column, which takes a fraction of the time of many; its
  // address stands last, because any sign may be in it. Rows without a position say since when a lead is suppressed.
  const { rows } = await sql<{ position: number | null; said: string }>`
    select null::integer as position, held.id || E'\t' || ${inMicros(sql`held.since`)} as said
    from ${suppressedOf(condition)} as held
    union all
    select lead.position, lead.id || E'\t'
      || case when starts_with(lead.contact_keys[1], 'phone:') then substr(lead.contact_keys[1], 7) else '' end || E'\t'
      || coalesce(lead.latitude::text, '') || E'\t' || coalesce(lead.longitude::text, '') || E'\t'
      || case when lead.phone_type in ('mobile', 'landline') then lead.phone_type else '' end || E'\t'
      || lead.compliance_status || E'\t' || coalesce(${inMicros(sql`lead.compliance_checked_at`)}, '') || E'\t'
      || coalesce(list.sandbox, false) || E'\t'
      || ${MUST_NOT_BE_CALLED} || E'\t'
      || coalesce(lead.address, '')
    from public.leads as lead join public.lists as list on list.id = lead.list_id
    where ${condition}
  `.execute(db);
  const suppressed = new Map<string, Date>();
  const leads: Lead[] = [];
  for (const { position, said } of rows)
    if (position === null) suppressed.set(said.slice(0, UUID_LENGTH), new Date(msOf(said.slice(UUID_LENGTH + 1))));
    else leads.push({ position, said });
  // Most come in order, and PostgreSQL would sort them with all their text.
  leads.sort((one, other) => one.position - other.position);
  for (const some of chunks(leads, AT_ONCE)) {
    yield some.map((lead) => read(lead, suppressed, recent));
    if (leads.length > AT_ONCE) await othersTurn();
  }
}

/** Microseconds since 1970, which floating point still holds to the last one and takes least time for. */
const inMicros = (time: RawBuilder<Date>) => sql<string>`(date_part('epoch', ${time}) * 1000000)::bigint::text`;
const msOf = (micros: string): number => Math.floor(Number(micros) / 1000);

/** The same, all at once: for few leads. */
export async function readQuestions(
  db: Db,
  condition: RawBuilder<boolean>,
  counting: Counting,
): Promise<LeadQuestion[]> {
  const questions: LeadQuestion[] = [];
  for await (const some of questionsInParts(db, condition, counting)) questions.push(...some);
  return questions;
}

/** Those before the address. */
const FIELDS = 9;
const UUID_LENGTH = 36;

type Lead = { position: number; said: string };

function read({ position, said }: Lead, suppressed: ReadonlyMap<string, Date>, recent: RecentCalls): LeadQuestion {
  const fields = said.split('\t');
  const [id = '', phone, latitude, longitude, line, status, checked, sandbox, told] = fields;
  const address = fields.length > FIELDS + 1 ? fields.slice(FIELDS).join('\t') : fields[FIELDS];
  const checkedAt = checked ? msOf(checked) : undefined;
  const question: CallQuestion = {
    phone: phone || undefined,
    address: address || undefined,
    coordinates: latitude && longitude ? { latitude: Number(latitude), longitude: Number(longitude) } : undefined,
    line: lineOf(line),
    scrub: scrubOf(readComplianceStatus(status), checkedAt, sandbox !== 'false'),
    suppressedSince: suppressed.get(id),
    mustNotBeCalled: told !== 'false',
    calls: phone ? recent(phone, sandbox !== 'false') : [],
  };
  return { id, position, question, checkedAt };
}

function scrubOf(status: ComplianceStatus, checkedAt: number | undefined, sandbox: boolean): CallQuestion['scrub'] {
  const expires = status === 'safe' || status === 'dnc';
  return {
    status,
    // A check without a date cannot be shown to be recent.
    expired: checkedAt === undefined && status !== 'not_checked',
    checkedAt,
    expiresAt: checkedAt !== undefined && expires ? checkedAt + VERDICT_VALID_MS : undefined,
    sandbox,
  };
}

/** What a provider calls a line. A number over the internet may be either. */
export const lineOf = (type: string | null | undefined): CallQuestion['line'] =>
  type === 'mobile' || type === 'landline' ? type : 'unknown';
