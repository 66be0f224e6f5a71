import { type RawBuilder, sql } from 'kysely';
import type { SuppressionKind } from '#contract/calling/suppressions.ts';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Tx } from '#db/connection/tx.ts';

/** Asked once for a query: most installations begin with an empty list. */
export const ARE_ANY = sql<boolean>`(select exists (select from app.suppressions))`;

const ARE_ERASED = sql<boolean>`(select exists (select from app.erased_contacts))`;

/** Whether a lead must not be contacted, in a query where public.leads is called `lead`. */
export const IS_SUPPRESSED: RawBuilder<boolean> = sql`(
  case when ${ARE_ANY} then exists (select from app.suppressions as entry where entry.key = any(lead.contact_keys))
  else false end)`;

/** Since when; null for all others. */
const SUPPRESSED_AT: RawBuilder<Date | null> = sql`(
  case when ${ARE_ANY} then
    (select min(entry.added_at) from app.suppressions as entry where entry.key = any(lead.contact_keys))
  end)`;

/** With more entries, to look up each lead takes less time than to read all entries. An estimate: it decides on nothing but time. */
const ARE_FEW = sql<boolean>`(
  select reltuples < 100000 from pg_catalog.pg_class where oid = 'app.suppressions'::pg_catalog.regclass)`;

/**
 * Those leads that must not be contacted, and since when, as a table of `id` and `since`: all at once, in a third of the time of one by one.
 * `condition` on public.leads as `lead` and public.lists as `list`.
 */
export const suppressedOf = (condition: RawBuilder<boolean>) => sql`(
  select own.id, min(entry.added_at) as since
  from (
    select lead.id, unnest(lead.contact_keys) as key
    from public.leads as lead join public.lists as list on list.id = lead.list_id where ${condition}
  ) as own join app.suppressions as entry on entry.key = own.key
  where ${ARE_FEW}
  group by own.id
  union all
  select * from (
    select lead.id, ${SUPPRESSED_AT} as since
    from public.leads as lead join public.lists as list on list.id = lead.list_id where ${condition} and not ${ARE_FEW}
    offset 0 -- or each lead would be looked up twice
  ) as own where since is not null)`;

/** Those of the subjects that still have a lead, and one that may be contacted. `leadsOf`: lead ids by subject. */
export async function stillContactable(
  db: Db,
  leadsOf: ReadonlyMap<string, readonly string[]>,
  subjects: readonly string[],
): Promise<string[]> {
  const ids = subjects.flatMap((subject) => leadsOf.get(subject) ?? []);
  const { rows } = await sql<{ id: string }>`
    ${KEPT} select lead.id from public.leads as lead where lead.id = any(${ids}::uuid[]) and not ${IS_SUPPRESSED}
  `.execute(db);
  // Leads of an erased contact are gone.
  const free = new Set(rows.map(({ id }) => id));
  return subjects.filter((subject) => leadsOf.get(subject)?.some((id) => free.has(id)));
}

/** Whether a host, or a domain above it, stands on the list. */
export async function isSuppressedHost(db: Db, host: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (select from app.suppressions where key = any(app.contact_keys(null, null, ${host}, null, null))) as held
  `.execute(db);
  return rows[0]?.held ?? false;
}

/**
 * Those of the addresses that stand on the list, by themselves or by a domain, or were erased.
 * One look-up for all of them: app.contact_keys, asked for each, takes a second for some ten thousand.
 */
export async function suppressedEmails(db: Db | Tx, emails: readonly string[]): Promise<Set<string>> {
  if (emails.length === 0) return new Set();
  const { rows } = await sql<{ email: string }>`
    with told as materialized (
      select email, app.email_key(email) as address from unnest(${[...new Set(emails)]}::text[]) as one (email)
      where ${ARE_ANY} or ${ARE_ERASED}
    ), host as (
      select name, string_to_array(name, '.') as labels
      from (select distinct split_part(address, '@', 2) as name from told) as one
    ), domain as materialized (
      select name, 'domain:' || array_to_string(labels[first:], '.') as key
      from host cross join lateral generate_series(1, cardinality(labels) - 1) as first
    ), keyed as materialized (
      select email, key from told, unnest(array_remove(array['email:' || address, app.former_email_key(email)], null)) as key
      where ${ARE_ERASED}
    ), held as materialized (
      select key from app.suppressions
      where key = any(array(select 'email:' || address from told union all select key from domain))
    )
    select email from told join held on held.key = 'email:' || address
    union
    select email from told join domain on domain.name = split_part(address, '@', 2) join held on held.key = domain.key
    union
    select keyed.email from keyed join (
      select one.key from unnest(array(select key from keyed), app.contact_hashes(array(select key from keyed))) as one (key, hash)
        join app.erased_contacts as erased using (hash)
    ) as gone using (key)
  `.execute(db);
  return new Set(rows.map(({ email }) => email));
}

/** Since when a value stands on the list by itself, or was erased. */
export async function suppressedSince(db: Db | Tx, kind: SuppressionKind, value: string): Promise<Date | undefined> {
  const { rows } = await sql<{ added_at: Date }>`
    select added_at from app.suppressions where key = app.suppression_key(${kind}, ${value})
    union all
    select erased_at from app.erased_contacts
    where hash = any(app.contact_hashes(array_remove(array[app.suppression_key(${kind}, ${value})], null)))
  `.execute(db);
  return rows[0]?.added_at;
}

/**
 * Since when one of someone's own leads behind a number is held back, by any of its keys.
 * - `phone`: in E.164.
 */
export async function leadSuppressedSince(db: Db | Tx, userId: string, phone: string): Promise<Date | undefined> {
  // The leads first: the number is in an index, and the owner is not.
  const { rows } = await sql<{ since: Date | null }>`
    with behind as materialized (
      select lead.list_id, lead.contact_keys from public.leads as lead
      where ${ARE_ANY} and lead.contact_keys @> array['phone:' || ${phone}::text]
    )
    select min(${SUPPRESSED_AT}) as since
    from behind as lead join public.lists as list on list.id = lead.list_id where list.user_id = ${userId}
  `.execute(db);
  return rows[0]?.since ?? undefined;
}
