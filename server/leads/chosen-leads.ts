import { type RawBuilder, sql } from 'kysely';
import { VERDICT_VALID_MS } from '#contract/work/compliance.ts';
import type { LeadChoice, LeadFilter, LeadPart, VerdictFilter } from '#contract/work/lead-choice.ts';
import { isUuid } from '#server/runs/rows.ts';

type Condition = RawBuilder<boolean>;

/** A filter without a verdict on calls: `positions` of the leads that have it stand for that. */
export type SettledFilter = Omit<LeadFilter, 'call'> & { call?: undefined; positions?: readonly number[] };
export type SettledChoice = Omit<LeadChoice, 'matching'> & { matching?: SettledFilter | undefined };

const PARTS: Record<LeadPart, RawBuilder<string>> = {
  phone: sql`lead.phone`,
  email: sql`lead.email`,
  website: sql`lead.website`,
  owner: sql`lead.owner_name`,
};

export const isPresent = (part: LeadPart): Condition => sql`coalesce(${PARTS[part]}, '') <> ''`;

/** Whether a clean or listed verdict is too old to count. */
const IS_OVER: Condition = sql`
  (lead.compliance_status in ('safe', 'dnc') and lead.compliance_checked_at < now() - ${VERDICT_VALID_MS} * interval '1 ms')`;
/** What is held of a number today, in a query where public.leads is called `lead`. */
export const VERDICT: RawBuilder<string> = sql`case when ${IS_OVER} then 'not_checked' else lead.compliance_status end`;
/** The sweep takes a verdict away that has run out, and leaves its time. */
export const IS_EXPIRED: Condition = sql`(${VERDICT} = 'not_checked' and lead.compliance_checked_at is not null)`;

const hasVerdict = (verdict: VerdictFilter): Condition =>
  verdict === 'expired' ? IS_EXPIRED : sql`${VERDICT} = ${verdict}`;

/** Stands for the leads that a query reads as `lead`, in whichever order. */
export const DIGEST: RawBuilder<string> = sql`coalesce(bit_xor(uuid_hash_extended(lead.id, 0)), 0)::text`;

/** What may be read of a lead, for a text to be found in. Joined by operators: `concat_ws` takes twice as long. */
const WRITTEN: RawBuilder<string> = sql.join(
  ['business_name', 'phone', 'address', 'website', 'email', 'owner_name', 'owner_title'].map(
    (column) => sql`coalesce(${sql.ref(`lead.${column}`)}, '')`,
  ),
  sql` || E'\n' || `,
);

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Letters beyond ASCII have cases only in some collations, which take several times as long. */
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Lowering texts takes half of the time. What has no letters needs none of it. */
const hasCases = (text: string): boolean => text.toLowerCase() !== text.toUpperCase();

/** Whether a text has another in it, whatever the case. `before` and `after` stand around the one that is looked for. */
function contains(text: RawBuilder<string>, given: string, before = '', after = ''): Condition {
  const wanted = given.toLowerCase();
  const pattern = `%${before}${escaped(wanted)}${after}%`;
  const plain = sql`${text} collate "C"`;
  if (isAscii(wanted)) return sql`${hasCases(wanted) ? sql`lower(${plain})` : plain} like ${pattern}`;
  // A text of ASCII alone has none of its letters.
  return sql`
    case when octet_length(${text}) > char_length(${text}) then lower(${text} collate "und-x-icu") like ${pattern} else false end`;
}

/** The digits of what is typed as a number or the beginning of one, such as +1 217-555: pages show all in one form, whatever is stored. */
function digitsOf(text: string): string | undefined {
  const typed = text.trim();
  const digits = typed.replace(/^\+1/, '').replace(/\D/g, '');
  const isNumber = /^[+\d\s().-]+$/.test(typed) && digits.length >= (/[+().-]/.test(typed) ? 4 : 7);
  return isNumber ? digits : undefined;
}

/** Whether a lead has a text in it. */
function mentions(given: string): Condition {
  const digits = digitsOf(given);
  if (digits === undefined) return contains(WRITTEN, given);
  return sql`(${contains(WRITTEN, given)} or translate(lead.phone, '+ ().-', '') like ${`%${digits}%`})`;
}

/** Addresses read "12 Main Street, Springfield, IL 62701, USA". */
const inCity = (city: string): Condition => contains(sql`', ' || lead.address`, city, ', ', ',');
const inZip = (zip: string): Condition => sql`lead.address ~ ${`\\m${zip}\\M(?!.*\\m\\d{5}\\M)`}`;

const partsOf = (text: string | undefined): LeadPart[] => (text?.split(',') ?? []) as LeadPart[];

/** Whether a lead stands in a list and fits a filter. */
export function fits(listId: string, filter: SettledFilter): Condition {
  const { q, has, lacks, verdict, city, zip, confidence, since, positions } = filter;
  const conditions: Condition[] = [
    sql`lead.list_id = ${listId}`,
    ...partsOf(has).map(isPresent),
    ...partsOf(lacks).map((part): Condition => sql`not (${isPresent(part)})`),
    ...(q ? [mentions(q)] : []),
    ...(verdict ? [hasVerdict(verdict)] : []),
    ...(city ? [inCity(city)] : []),
    ...(zip ? [inZip(zip)] : []),
    ...(confidence === undefined ? [] : [sql<boolean>`lead.email_confidence >= ${confidence}`]),
    ...(positions ? [sql<boolean>`lead.position = any(${positions}::integer[])`] : []),
    ...(since ? [sql<boolean>`lead.created_at >= ${since}::date at time zone 'UTC'`] : []),
  ];
  return sql`${sql.join(conditions, sql` and `)}`;
}

const isNamed = (ids: readonly string[]): Condition => sql`lead.id = any(${ids.filter(isUuid)}::uuid[])`;

/** Whether a lead is one of those that a run of the list was narrowed to. */
const isOfRun = (listId: string, runId: string): Condition =>
  isUuid(runId)
    ? sql`lead.id in (
        select one::uuid from app.runs as run, jsonb_array_elements_text(run.input -> 'leadIds') as one
        where run.id = ${runId} and run.list_id = ${listId})`
    : sql`false`;

/** Whether a lead of a list is one of those that are chosen. */
export function isChosen(listId: string, { lead_ids, matching = {}, except, of_run }: SettledChoice): Condition {
  const named = lead_ids ? isNamed(lead_ids) : sql<boolean>`true`;
  const kept = except ? sql<boolean>`not (${isNamed(except)})` : sql<boolean>`true`;
  const ofRun = of_run === undefined ? sql<boolean>`true` : isOfRun(listId, of_run);
  return sql`${fits(listId, matching)} and ${named} and ${kept} and ${ofRun}`;
}
