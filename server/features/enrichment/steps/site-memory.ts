import { sql } from 'kysely';
import { WEBSITE_RETRY_DAYS, WEBSITES_DAYS } from '#contract/work/retention.ts';
import { MAIL_STATES, SiteAnswer } from '#contract/work/site-visit.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { LeadsByDomain } from '#server/features/enrichment/sort-leads.ts';
import { suppressedEmails } from '#server/leads/suppressed.ts';
import { mayReceive } from '#websites/mail-exchange.ts';

/** What a website said, and when. `host`: without "www.". */
export type KnownSite = { host: string; answer: SiteAnswer; visitedAt: Date };

/**
 * Sites that could not be read. They are tried again sooner: a robots.txt holds for a day, and may only have failed.
 * What they said before, they may still say.
 */
export const UNREAD: readonly SiteAnswer['status'][] = [
  'refused_by_robots',
  'blocked',
  'unreachable',
  'unreadable',
  'suppressed',
];
const daysOf = ({ status }: SiteAnswer) => (UNREAD.includes(status) ? WEBSITE_RETRY_DAYS : WEBSITES_DAYS);

/** `orNoticed`: also sites of which no more than a notice is remembered. */
export async function recallSites(
  db: Db,
  sandbox: boolean,
  hosts: readonly string[],
  { orNoticed = false } = {},
): Promise<KnownSite[]> {
  const rows = await db
    .selectFrom('app.website_answers')
    .select(['domain', 'visit', 'visited_at'])
    .where('sandbox', '=', sandbox)
    .where('domain', 'in', hosts.length > 0 ? hosts : [''])
    .where(sql<boolean>`(expires_at > now() or (${orNoticed}::boolean and visit ? 'notice'))`)
    .execute();
  // In a shape that is no longer known, it counts as not known.
  return rows.flatMap(({ domain, visit, visited_at }) => {
    const answer = SiteAnswer.safeParse(visit).data;
    return answer ? [{ host: domain, answer, visitedAt: visited_at }] : [];
  });
}

/** Leaves out of a website's answer what was erased for good. */
export async function withoutErased(db: Db, answer: SiteAnswer): Promise<SiteAnswer> {
  const [emails, phones] = [answer.emails.map(({ email }) => email), answer.phones.map(({ phone }) => phone)];
  const { rows } = await sql<{ value: string }>`
    select one.value from (
      select 'email' as kind, value from unnest(${emails}::text[]) as value
      union all select 'phone', value from unnest(${phones}::text[]) as value
    ) as one join app.erased_contacts as erased
      on erased.hash = any(app.contact_hashes(array_remove(array[app.suppression_key(one.kind, one.value)], null)))
  `.execute(db);
  if (rows.length === 0) return answer;
  const erased = new Set(rows.map(({ value }) => value));
  return { ...withoutEmails(answer, erased), phones: answer.phones.filter(({ phone }) => !erased.has(phone)) };
}

/** Leaves out of what websites said the addresses that are on the suppression list: a lead that got one would be held back. */
export async function withoutSuppressed(db: Db | Tx, sites: readonly KnownSite[]): Promise<KnownSite[]> {
  const held = await suppressedEmails(
    db,
    sites.flatMap(({ answer }) => answer.emails.map(({ email }) => email)),
  );
  return sites.map((site) => ({ ...site, answer: withoutEmails(site.answer, held) }));
}

function withoutEmails(answer: SiteAnswer, out: ReadonlySet<string>): SiteAnswer {
  const left = answer.emails.filter((one) => !out.has(one.email));
  if (left.length === answer.emails.length) return answer;
  const { email: _, ...rest } = answer;
  const email = left.find(({ mail }) => mayReceive(mail));
  return {
    ...rest,
    status: answer.status === 'found' && left.length === 0 ? 'nothing' : answer.status,
    ...(email ? { email } : {}),
    emails: left,
  };
}

/** Remembers what a website said. While it cannot be read, the notice that it had stays. */
export async function rememberSite(tx: Tx, sandbox: boolean, host: string, answer: SiteAnswer): Promise<KnownSite> {
  const visit = JSON.stringify(answer);
  const { rows } = await sql<{ notice: SiteAnswer['notice'] | null; visited_at: Date }>`
    insert into app.website_answers as known (sandbox, domain, visit, expires_at)
    values (${sandbox}, ${host}, ${visit}::jsonb, now() + ${daysOf(answer)} * interval '1 day')
    on conflict (sandbox, domain) do update
    set visit = case when ${UNREAD.includes(answer.status)}::boolean and known.visit ? 'notice'
        then jsonb_build_object('notice', known.visit -> 'notice') || excluded.visit else excluded.visit end,
      visited_at = excluded.visited_at, expires_at = excluded.expires_at
    returning visit -> 'notice' as notice, visited_at
  `.execute(tx);
  const notice = rows[0]?.notice;
  return { host, answer: notice ? { ...answer, notice } : answer, visitedAt: rows[0]?.visited_at ?? new Date() };
}

/**
 * The same of a website that leads to another domain, which names these businesses: of others it may say something else.
 * Only its notice is remembered, which is meant for everyone. One that it had before is over if it can be read.
 */
export async function rememberByName(tx: Tx, sandbox: boolean, host: string, answer: SiteAnswer): Promise<KnownSite> {
  if (answer.notice) {
    const forAll = await rememberSite(tx, sandbox, host, { ...answer, phones: [], profiles: [] });
    return { ...forAll, answer };
  }
  if (!UNREAD.includes(answer.status))
    await tx.deleteFrom('app.website_answers').where('sandbox', '=', sandbox).where('domain', '=', host).execute();
  return { host, answer, visitedAt: new Date() };
}

/**
 * Returns the domains with a website that said, when it was last read, however long ago, that its addresses must not be taken.
 * - A notice that a lead keeps counts where no visit is remembered, or the site could not be read.
 */
export async function refusingSites(
  db: Db | Tx,
  sandbox: boolean,
  { sites, noticed }: Pick<LeadsByDomain, 'sites' | 'noticed'>,
  domains: readonly string[],
): Promise<Set<string>> {
  // What the domain itself says binds below it too.
  const hostsOf = (domain: string) => [domain, ...(sites.get(domain)?.keys() ?? [])];
  const { rows } = await sql<{ domain: string; refuses: boolean | null }>`
    select domain, case when visit ? 'notice' or visit ->> 'status' <> all(${UNREAD}::text[]) then visit ? 'notice' end as refuses
    from app.website_answers
    where sandbox = ${sandbox} and domain = any(${domains.flatMap(hostsOf)}::text[]) and (expires_at > now() or visit ? 'notice')
  `.execute(db);
  const told = new Map(rows.map(({ domain, refuses }) => [domain, refuses]));
  return new Set(domains.filter((domain) => hostsOf(domain).some((host) => told.get(host) ?? noticed.has(host))));
}

/** Returns the hosts whose website is remembered, and those of them that have an address for a lead. */
export async function countSites(
  db: Db | Tx,
  sandbox: boolean,
  hosts: readonly string[],
): Promise<{ known: Set<string>; found: Set<string> }> {
  const { rows } = await sql<{ domain: string; emails: string[] }>`
    select domain, array(
      select one ->> 'email' from jsonb_array_elements(visit -> 'emails') as one
      where visit ? 'email' and one ->> 'mail' = any(${MAIL_STATES.filter(mayReceive)}::text[])
    ) as emails
    from app.website_answers
    where sandbox = ${sandbox} and domain = any(${hosts}::text[]) and expires_at > now()
  `.execute(db);
  const firsts = await suppressedEmails(
    db,
    rows.flatMap(({ emails }) => emails.slice(0, 1)),
  );
  // The others count only where the first does not.
  const others = rows.flatMap(({ emails: [first, ...rest] }) => (firsts.has(first ?? '') ? rest : []));
  const held = new Set([...firsts, ...(await suppressedEmails(db, others))]);
  return {
    known: new Set(rows.map(({ domain }) => domain)),
    found: new Set(rows.flatMap(({ domain, emails }) => (emails.some((email) => !held.has(email)) ? [domain] : []))),
  };
}
