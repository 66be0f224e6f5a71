import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { MOST_SOURCES } from './origins/value-rights.ts';
import type { Pair } from './same-business.ts';
import { ARE_ANY } from './suppressed.ts';

/** Leads in one statement. */
const AT_ONCE = 5_000;
/** Characters of all extra columns of a lead, and bytes of another of its columns: what would be more stays out. */
const MOST_EXTRA = 10_000;
const MOST_ORIGINALS = 20_000;

type Condition = RawBuilder<boolean>;

/** Names in these conditions: `lead` is filled from `came`. */
const isTaken = (column: string): Condition =>
  sql`(coalesce(${sql.ref(`lead.${column}`)}, '') = '' and coalesce(${sql.ref(`came.${column}`)}, '') <> '')`;
const EMAIL = isTaken('email');
const OWNER = isTaken('owner_name');
const PHONE = isTaken('phone');
const ADDRESS = isTaken('address');
const WEBSITE = isTaken('website');
const SAME_EMAIL: Condition = sql`lower(btrim(came.email)) = lower(btrim(lead.email))`;
const SAME_PHONE: Condition = sql`(came.phone = lead.phone or app.phone_key(came.phone) = app.phone_key(lead.phone))`;
const SAME_OWNER: Condition = sql`lower(btrim(came.owner_name)) = lower(btrim(lead.owner_name))`;
const TITLE: Condition = sql`(${isTaken('owner_title')} and (${OWNER} or ${SAME_OWNER}))`;

/** The newer visit of the same website. */
const VISIT: Condition = sql`(came.site_visit is not null
  and (${WEBSITE} or app.host_key(came.website) = app.host_key(lead.website))
  and (lead.site_visit is null or came.site_visit ->> 'at' > lead.site_visit ->> 'at'))`;

/** A verdict is one of a number. */
const strictness = (of: 'lead' | 'came') => sql`
  array_position(array['not_checked', 'safe', 'dnc', 'litigator'], ${sql.ref(`${of}.compliance_status`)})`;
const ageOf = (of: 'lead' | 'came') => sql`coalesce(${sql.ref(`${of}.compliance_checked_at`)}, '-infinity')`;
/** The newer verdict; of two as old the stricter. What has run out is none, so a litigator of any age goes before it. */
const VERDICT: Condition = sql`(${PHONE} or (${SAME_PHONE} and (
  case when came.compliance_status = 'not_checked' then
    lead.compliance_status = 'not_checked' and lead.compliance_reason is null and came.compliance_reason is not null
  else
    ${ageOf('came')} > ${ageOf('lead')}
      or (${ageOf('came')} = ${ageOf('lead')} and ${strictness('came')} > ${strictness('lead')})
      or (came.compliance_status = 'litigator' and lead.compliance_status = 'not_checked')
  end)))`;
/** The newest check says of which kind a line is, or that this is not known. */
const LINE_TYPE: Condition = sql`(
  ${SAME_PHONE} and lead.compliance_status = 'not_checked' and lead.phone_type is null and came.phone_type is not null)`;

/** Without this, a later search would pay for the place again. */
const PLACE: Condition = sql`(lead.place_id is null and came.place_id is not null and not exists (
  select from public.leads as other where other.list_id = lead.list_id and other.place_id = came.place_id))`;

const EXTRA: Condition = sql`(came.extra - array(select jsonb_object_keys(lead.extra)) <> '{}'
  and char_length((came.extra || lead.extra)::text) <= ${MOST_EXTRA})`;

/** What a file says against calls outweighs that another one does not. It is said of the number. */
const WARNS: Condition = sql`((${PHONE} or ${SAME_PHONE}) and app.tells_no_calls(came.extra) and not app.tells_no_calls(lead.extra))`;

const IS_HELD: Condition = sql`(
  case when ${ARE_ANY} then exists (select from app.suppressions as entry where entry.key = any(came.contact_keys)) else false end)`;

const given = (pairs: readonly Pair[]) => sql`
  unnest(${pairs.map(({ here }) => here)}::uuid[], ${pairs.map(({ there }) => there)}::uuid[])
    with ordinality as pair (here, there, place)`;

/**
 * What the first pair of each lead that brings anything brings. A value takes its source and what its file said along.
 * - One who is suppressed brings nothing but what is known of the same number: the lead would be held back, or have a contact of theirs.
 * - `offset 0`: each step is worked out once, and not again wherever it is used.
 */
const bringing = (pairs: readonly Pair[]) => sql`
  select distinct on (pair.there) pair.here, pair.there, does.*, named.sources, named.originals, named.extra
  from ${given(pairs)}
    join public.leads as came on came.id = pair.here
    join public.leads as lead on lead.id = pair.there
    cross join lateral (
      select ${EMAIL} as email, ${OWNER} as owner, ${TITLE} as title, ${PHONE} as phone, ${ADDRESS} as address,
        ${WEBSITE} as website, ${VISIT} as visit, coalesce(${VERDICT}, false) as verdict, coalesce(${LINE_TYPE}, false) as line_type,
        ${PLACE} as place, ${EXTRA} as more, coalesce(${WARNS}, false) as warns offset 0
    ) as would
    cross join lateral (select ${IS_HELD} as held offset 0) as who
    cross join lateral (
      select would.email and not held as email, would.owner and not held as owner, would.title and not held as title,
        would.phone and not held as phone, would.address and not held as address, would.website and not held as website,
        would.visit and not held as visit, would.verdict and (${SAME_PHONE} or not held) as verdict, would.line_type,
        would.place and not held as place, would.more and not held as more, would.warns and (${SAME_PHONE} or not held) as warns offset 0
    ) as does
    cross join lateral (
      select array_remove(array[case when does.email then 'email' end, case when does.owner then 'owner_name' end,
        case when does.owner or does.title then 'owner_title' end, case when does.phone then 'phone' end,
        case when does.address then 'address' end, case when does.website then 'website' end], null) as columns,
        array(select 'extra.' || header from jsonb_object_keys(came.extra - array(select jsonb_object_keys(lead.extra))) as header) as extras,
        array(select header from jsonb_each(came.extra) as cell (header, told)
          where does.warns and app.tells_no_calls(jsonb_build_object(header, told))) as warnings offset 0
    ) as taken
    cross join lateral (
      select lead.sources - taken.columns || ${pick('came.sources', sql`taken.columns`)}
          || ${pick('came.sources', sql`array(select 'extra.' || header from unnest(taken.warnings) as header)`)} as own,
        ${pick('came.sources', sql`taken.extras`)} as extras,
        lead.originals - taken.columns || ${pick('came.originals', sql`taken.columns`)} as originals offset 0
    ) as said
    cross join lateral (
      select does.more and octet_length((said.own || said.extras)::text) <= ${MOST_SOURCES} as fits offset 0
    ) as room
    cross join lateral (
      select case when room.fits then said.own || said.extras else said.own end as sources,
        case when room.fits then came.extra || lead.extra else lead.extra end || ${pick('came.extra', sql`taken.warnings`)} as extra,
        case when octet_length(said.originals::text) <= ${MOST_ORIGINALS} then said.originals else lead.originals - taken.columns end as originals offset 0
    ) as named
  where (does.email or does.owner or does.title or does.phone or does.address or does.website or does.visit or does.verdict
      or does.line_type or does.place or does.warns or room.fits)
    and octet_length(named.sources::text) <= ${MOST_SOURCES}
  order by pair.there, pair.place`;

const pick = (from: string, keys: RawBuilder<unknown>) => sql`(
  select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(${sql.ref(from)}) where key = any(${keys}))`;

/**
 * Fills empty fields of leads from leads of another list that are the same businesses. Returns how many of these brought something.
 * - Values keep where they came from. A newer verdict on the same number replaces the older one.
 */
export async function fillFrom(tx: Tx, pairs: readonly Pair[]): Promise<number> {
  const filled = new Set<string>();
  for (let from = 0; from < pairs.length; from += AT_ONCE) {
    const some = pairs.slice(from, from + AT_ONCE);
    const hasSeveral = new Set(some.map(({ there }) => there)).size < some.length;
    for (const filling of [fillValues(some), fillChecks(some)]) {
      let rows: { here: string }[];
      do {
        ({ rows } = await filling.execute(tx));
        for (const { here } of rows) filled.add(here);
        // The next one may bring what the first did not have.
      } while (hasSeveral && rows.length > 0);
    }
  }
  return filled.size;
}

const taking = (does: string, column: string, from: RawBuilder<unknown> = sql.ref(`came.${column}`)) =>
  sql`${sql.ref(column)} = case when ${sql.ref(`brings.${does}`)} then ${from} else ${sql.ref(`lead.${column}`)} end`;

const fillValues = (pairs: readonly Pair[]) => sql<{ here: string }>`
  update public.leads as lead
  set ${sql.join([
    ...['email', 'email_confidence', 'email_call_id', 'email_verified'].map((column) => taking('email', column)),
    // What was said of the email follows: a trigger takes it away where an email is written.
    ...['email_status', 'email_checked_at', 'email_check_call_id'].map((column) => taking('email', column, sql`null`)),
    taking('owner', 'owner_name'),
    sql`owner_title = case when brings.owner or brings.title then came.owner_title else lead.owner_title end`,
    sql`owner_call_id = case when brings.owner then came.owner_call_id
      when brings.title then coalesce(lead.owner_call_id, came.owner_call_id) else lead.owner_call_id end`,
    ...['phone', 'address', 'website'].map((column) => taking(column, column)),
    taking('visit', 'site_visit'),
    ...['status', 'reason', 'checked_at', 'call_id'].map((part) => taking('verdict', `compliance_${part}`)),
    sql`phone_type = case when brings.phone then came.phone_type
      when brings.verdict and came.compliance_status <> 'not_checked' then came.phone_type
      when brings.verdict then coalesce(came.phone_type, lead.phone_type)
      when brings.line_type then came.phone_type else lead.phone_type end`,
    ...['place_id', 'place_call_id', 'service_area'].map((column) => taking('place', column)),
    // How long they may be kept is known by the call alone.
    ...['latitude', 'longitude'].map(
      (
        column,
      ) => sql`${sql.ref(column)} = case when brings.place and came.place_call_id is not null and lead.latitude is null
        then ${sql.ref(`came.${column}`)} else ${sql.ref(`lead.${column}`)} end`,
    ),
    sql`sources = brings.sources, originals = brings.originals, extra = brings.extra`,
  ])}
  from (${bringing(pairs)}) as brings join public.leads as came on came.id = brings.here
  where lead.id = brings.there
  returning brings.here::text as here`;

/** What Hunter said of the same email: the newer. */
const fillChecks = (pairs: readonly Pair[]) => sql<{ here: string }>`
  update public.leads as lead
  set email_confidence = coalesce(lead.email_confidence, came.email_confidence),
    email_call_id = coalesce(lead.email_call_id, came.email_call_id),
    email_status = case when newer then came.email_status else lead.email_status end,
    email_checked_at = case when newer then came.email_checked_at else lead.email_checked_at end,
    email_check_call_id = case when newer then came.email_check_call_id else lead.email_check_call_id end,
    email_verified = case when newer then came.email_verified else coalesce(lead.email_verified, came.email_verified) end
  from ${given(pairs)}
    join public.leads as came on came.id = pair.here
    join public.leads as was on was.id = pair.there
    cross join lateral (
      select coalesce(came.email_status is not null and (was.email_status is null or was.email_checked_at is null
        or came.email_checked_at > was.email_checked_at), false) as newer
    ) as age
  where lead.id = pair.there and ${SAME_EMAIL} and (newer
    or (lead.email_confidence is null and came.email_confidence is not null)
    or (lead.email_call_id is null and came.email_call_id is not null)
    or (lead.email_status is null and lead.email_verified is null and came.email_verified is not null))
  returning pair.here::text as here`;

/** Which leads hold something that the other one of the pair does not: another email, owner, number or column, or one that had no room. */
export async function differing(tx: Tx, pairs: readonly Pair[]): Promise<string[]> {
  const ids: string[] = [];
  const lacks = (column: string, same: Condition): Condition =>
    sql`(coalesce(${sql.ref(`came.${column}`)}, '') <> '' and (${same}) is not true)`;
  for (let from = 0; from < pairs.length; from += AT_ONCE) {
    const some = pairs.slice(from, from + AT_ONCE);
    const { rows } = await sql<{ here: string }>`
      select pair.here::text as here
      from ${given(some)}
        join public.leads as came on came.id = pair.here
        join public.leads as lead on lead.id = pair.there
      where ${lacks('email', SAME_EMAIL)} or ${lacks('owner_name', SAME_OWNER)} or ${lacks('phone', SAME_PHONE)}
        or ${lacks('place_id', sql`came.place_id = lead.place_id`)} or not lead.extra @> came.extra
        or (came.site_visit is not null and lead.site_visit is null)
    `.execute(tx);
    ids.push(...rows.map(({ here }) => here));
  }
  return ids;
}
