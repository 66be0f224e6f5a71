import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { type CrmEmailStatus, ProviderError } from '#providers/provider.ts';
import { leftOutText, refusedText } from './left-out.ts';
import { askCrm, type Pull } from './pull.ts';
import { keepConnection } from './pull-lease.ts';
import { type OptOut, storeOptOuts } from './store-opt-outs.ts';

/** Addresses that one pull asks about: about two minutes at four calls a second, and a fraction of the day's calls. */
const MOST_ADDRESSES = 500;
/** An address is asked about again after this many days. */
const AGAIN_DAYS = 7;
/** Leads that are looked through at a time for addresses to ask about. */
const LEADS_AT_ONCE = 2_000;
/** How often one pull looks through that many. */
const MOST_LOOKS = 50;
/** Answers that are stored at a time. */
const ANSWERS_AT_ONCE = 20;

type Address = { leadId: string; email: string; key: string };

/** Asks the CRM about addresses of leads, where the last pull left off, and takes over those that must be left alone. */
export async function pullStatuses(pull: Pull): Promise<void> {
  const asking: Asking = { refused: [], isAnswered: false };
  await askAll(pull, asking);
  if (asking.isAnswered) await store(pull, asking.refused, []);
  // Where there was no answer at all, no address is known to be the reason. All are asked about again.
  else nameRefused(pull, asking);
}

function nameRefused({ name, brought, left }: Pull, { refused }: Asking): void {
  const emails = refused.map(({ email }) => email);
  brought.leftOut =
    [leftOutText(name, left), refusedText(name, emails, emails.length)].filter(Boolean).join(' ') || undefined;
}

/** How it goes so far. `refused`: addresses that the CRM did not take since its last answer. */
type Asking = { refused: Address[]; isAnswered: boolean };

async function askAll(pull: Pull, asking: Asking): Promise<void> {
  let left = MOST_ADDRESSES;
  let wrapped = false;
  for (let looks = 0; left > 0 && looks < MOST_LOOKS; looks += 1) {
    const { addresses, last } = await nextAddresses(pull, asking, left);
    for (let at = 0; at < addresses.length; at += ANSWERS_AT_ONCE)
      await askAbout(pull, asking, addresses.slice(at, at + ANSWERS_AT_ONCE));
    left -= addresses.length;
    // Short of the most that were wanted, everything that was looked through has been asked about.
    if (left > 0 || last === undefined) await moveCursor(pull.db, last);
    if (last === undefined) {
      if (wrapped) return;
      wrapped = true;
    }
  }
}

/** `last`: the last lead that was looked through; undefined at the end of all. */
async function nextAddresses(
  { db, sandbox }: Pull,
  { refused }: Asking,
  most: number,
): Promise<{ addresses: Address[]; last: string | undefined }> {
  const { rows } = await sql<Address & { last: string }>`
    with looked as materialized (
      select lead.id, lead.email, app.suppression_key('email', lead.email) as key
      from public.leads as lead join public.lists as list on list.id = lead.list_id and list.sandbox = ${sandbox}
      where lead.email is not null and lead.id > coalesce((select lead_cursor from app.crm_pull), ${FIRST_ID}::uuid)
      order by lead.id limit ${LEADS_AT_ONCE}
    ),
    hashed as (
      select looked.*, one.hash from (select array_agg(key) as keys from (select distinct key from looked) as few) as few,
        unnest(few.keys, app.contact_hashes(few.keys)) as one (key, hash) join looked on looked.key = one.key
    )
    select distinct on (hashed.key) hashed.id as "leadId", hashed.email, hashed.key,
      (select max(id::text) from looked) as last
    from hashed
    where not exists (
        select from app.crm_asked as asked where asked.hash = hashed.hash and asked.asked_at > now() - ${AGAIN_DAYS} * interval '1 day')
      and not exists (select from app.suppressions as entry where entry.key = hashed.key)
      and hashed.key <> all(${refused.map(({ key }) => key)}::text[])
    order by hashed.key, hashed.id
  `.execute(db);
  if (rows.length > 0) {
    const inOrder = rows.toSorted((a, b) => a.leadId.localeCompare(b.leadId)).slice(0, most);
    return { addresses: inOrder, last: rows[0]?.last };
  }
  const { rows: ends } = await sql<{ last: string | null }>`
    select max(id::text) as last from (
      select lead.id from public.leads as lead
        join public.lists as list on list.id = lead.list_id and list.sandbox = ${sandbox}
      where lead.email is not null and lead.id > coalesce((select lead_cursor from app.crm_pull), ${FIRST_ID}::uuid)
      order by lead.id limit ${LEADS_AT_ONCE}
    ) as looked
  `.execute(db);
  return { addresses: [], last: ends[0]?.last ?? undefined };
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** So many addresses that are refused one after the other are a failure of the whole. */
const MOST_REFUSED = 20;

/** Whether the CRM failed at one address alone: it does not take it, or says something unknown about it. */
const isOfOneAddress = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && (error.kind === 'bad_request' || error.kind === 'unknown_shape');

/**
 * One call for each address. What was answered before the CRM fails is stored. An address that it does not take stops no other, and counts
 * as asked once another is answered.
 */
async function askAbout(pull: Pull, asking: Asking, addresses: readonly Address[]): Promise<void> {
  const answered: Address[] = [];
  const optOuts: OptOut[] = [];
  try {
    for (const address of addresses) {
      const status = await statusOf(pull, asking, address);
      if (status === 'refused') continue;
      if (status?.stops) optOuts.push({ kind: 'email', value: address.email, note: `${pull.name}: ${status.status}` });
      answered.push(...asking.refused.splice(0), address);
      asking.isAnswered = true;
    }
  } finally {
    await store(pull, answered, optOuts);
  }
}

/** `refused`: the CRM does not take the address. Undefined where it does not know it. */
async function statusOf(
  pull: Pull,
  { refused }: Asking,
  address: Address,
): Promise<CrmEmailStatus | 'refused' | undefined> {
  const { email } = address;
  try {
    return await askCrm(pull, (crm, token) => crm.emailStatus(token, email, pull.signal));
  } catch (error) {
    if (!isOfOneAddress(error)) throw error;
    refused.push(address);
    // The next pull begins behind them, and comes to them again.
    if (refused.length > MOST_REFUSED) {
      await moveCursor(pull.db, address.leadId);
      throw error;
    }
    pull.left.refused.add(address.leadId);
    return 'refused';
  }
}

/** Held back first: those who were asked about are not asked again for a week. */
async function store(pull: Pull, answered: readonly Address[], optOuts: readonly OptOut[]): Promise<void> {
  await storeOptOuts(pull, optOuts);
  if (answered.length === 0) return pull.renew();
  const refused = answered.map(({ leadId }) => (pull.left.refused.has(leadId) ? leadId : null));
  await pull.db.transaction().execute(async (tx) => {
    await keepConnection(tx, pull.from);
    await sql`
      insert into app.crm_asked (hash, refused_lead)
      select distinct on (hash) hash, refused from unnest(app.contact_hashes(${answered.map(({ key }) => key)}::text[]), ${refused}::uuid[]) as one (hash, refused)
      on conflict (hash) do update set asked_at = now(), refused_lead = excluded.refused_lead
    `.execute(tx);
    await moveCursor(tx, answered.at(-1)?.leadId);
  });
  pull.brought.addresses += answered.length;
  await pull.renew();
}

async function moveCursor(db: Db, to: string | undefined): Promise<void> {
  await sql`update app.crm_pull set lead_cursor = ${to ?? null}::uuid`.execute(db);
}
