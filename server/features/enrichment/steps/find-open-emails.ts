import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import {
  type Business,
  compareAlikeness,
  compareNearness,
  NEAR,
  type Reason,
  sameBusiness,
  sameDomain,
} from '#server/open-data/same-business.ts';
import { isApart } from '#server/open-data/sources.ts';
import { websiteDomain } from '#server/websites/website-domain.ts';
import { emailAddress } from '#websites/extract/email-address.ts';

/** `reason`: undefined where the two ids were known to belong together. */
export type OpenEmail = {
  leadId: string;
  openId: string;
  releaseId: number;
  email: string;
  reason: Reason | undefined;
};

/** What open data has for a lead without a website of its own: an email, a website, or both. */
export type OpenSite = Omit<OpenEmail, 'email'> & { email: string | undefined; website: string | undefined };

type Candidate = {
  lead_id: string;
  lead_name: string;
  lead_phone: string | null;
  lead_website: string | null;
  lead_address: string | null;
  lead_latitude: number | null;
  lead_longitude: number | null;
  known: boolean;
  open_id: string;
  release_id: number;
  name: string;
  phone: string | null;
  phone_key: string | null;
  website: string | null;
  email: string | null;
  address: string | null;
  latitude: number;
  longitude: number;
};
/** A host of many businesses has many places. One business has few. */
const MOST = 20;
const DEGREES = NEAR / 111_000;
const CERTAINTY = ['known', 'phone', 'domain', 'name_and_distance'] as const;

/** The releases that hold places of a kind, without those under the ODbL: their values are not mixed with others. */
export async function loadedReleases(db: Db | Tx, sandbox: boolean): Promise<number[]> {
  const { rows } = await sql<{ id: number; source: string; license: string }>`
    select id, source, license from app.open_releases where removed_at is null and sandbox = ${sandbox}
  `.execute(db);
  return rows.flatMap((row) => (isApart(row) ? [] : [row.id]));
}

/**
 * For leads without an email, the one that open data has for the same business. The surest match of each lead counts.
 * Nothing of a place on the suppression list is taken: the lead would be held back, or have a contact of theirs.
 */
export async function findOpenEmails(
  db: Db | Tx,
  userId: string,
  releaseIds: readonly number[],
  leadIds: readonly string[],
): Promise<OpenEmail[]> {
  const rows = await candidates(db, {
    userId,
    releaseIds,
    leadIds,
    has: sql`(email is not null)`,
    byHost: sql<boolean>`true`,
  });
  const found = bestOfEach(rows, (row) => {
    const website = websiteDomain(row.lead_website);
    const email = emailAddress(row.email ?? '', website.kind === 'own' ? website.domain : '');
    return email === undefined ? undefined : { email };
  });
  return withoutSuppressed(db, found, rows);
}

/** The same for leads without a website of their own: they may get one as well, unless theirs stands on a host of many. */
export async function findOpenSites(
  db: Db | Tx,
  userId: string,
  releaseIds: readonly number[],
  leadIds: readonly string[],
): Promise<OpenSite[]> {
  const has = sql`(email is not null or website is not null)`;
  const rows = await candidates(db, { userId, releaseIds, leadIds, has, byHost: sql<boolean>`false` });
  const found = bestOfEach<Pick<OpenSite, 'email' | 'website'>>(rows, (row) => {
    const site = websiteDomain(row.website);
    const email = emailAddress(row.email ?? '', site.kind === 'own' ? site.domain : '');
    const isFree = (row.lead_website ?? '').trim() === '';
    const website = isFree && site.kind === 'own' ? (row.website ?? undefined) : undefined;
    return email === undefined && website === undefined ? undefined : { email, website };
  });
  return withoutSuppressed(db, found, rows);
}

/** Leaves out the places that are on the suppression list, by any of their keys. */
async function withoutSuppressed<Found extends { openId: string }>(
  db: Db | Tx,
  found: readonly Found[],
  all: readonly Candidate[],
): Promise<Found[]> {
  const ids = new Set(found.map(({ openId }) => openId));
  const places = all.flatMap(({ open_id, phone, email, website, name }) =>
    ids.has(open_id) ? [{ open_id, phone, email, website, name }] : [],
  );
  const { rows } = await sql<{ open_id: string }>`
    select open_id from jsonb_to_recordset(${JSON.stringify(places)}::jsonb)
      as place (open_id text, phone text, email text, website text, name text)
    where exists (select from app.suppressions) and exists (
      select from app.suppressions where key = any(app.contact_keys(phone, email, website, null, name)))
  `.execute(db);
  const held = new Set(rows.map(({ open_id }) => open_id));
  return found.filter(({ openId }) => !held.has(openId));
}

function bestOfEach<Value extends object>(
  rows: readonly Candidate[],
  readValue: (row: Candidate) => Value | undefined,
): (Omit<OpenEmail, 'email'> & Value)[] {
  return [...Map.groupBy(rows, ({ lead_id }) => lead_id).values()].flatMap((ofLead) => {
    const same = ofLead.flatMap<Same>((row) => {
      const reason = row.known ? 'known' : reasonOf(row, ofLead);
      return reason ? [{ row, reason }] : [];
    });
    const found = same
      .filter((one) => !same.some((other) => isBetter(other, one)))
      .flatMap(({ row, reason }) => {
        const value = readValue(row);
        return value ? [{ row, reason, value }] : [];
      });
    const [best] = found.toSorted(
      (a, b) => compareReasons(a, b) || compareNearness(businessesOf(a.row), businessesOf(b.row)),
    );
    if (!best) return [];
    const { row, value, reason } = best;
    return [
      {
        leadId: row.lead_id,
        openId: row.open_id,
        releaseId: row.release_id,
        ...value,
        reason: reason === 'known' ? undefined : reason,
      },
    ];
  });
}

/** A place that may be the business of its lead. */
type Same = { row: Candidate; reason: Reason | 'known' };

const compareReasons = (a: Same, b: Same): number => CERTAINTY.indexOf(a.reason) - CERTAINTY.indexOf(b.reason);

/**
 * Whether one place is at least as surely the business, and more alike by its name: the other is then a neighbor of it.
 * With a like name, the other is one where phone or domain say that it is another business, and it is less sure or farther.
 */
function isBetter(one: Same, other: Same): boolean {
  const [reasons, names] = [
    compareReasons(one, other),
    compareAlikeness(businessesOf(one.row), businessesOf(other.row)),
  ];
  if (reasons > 0 || names > 0) return false;
  if (names < 0) return true;
  if (!isAnother(one.row, other.row)) return false;
  return reasons < 0 || compareNearness(businessesOf(one.row), businessesOf(other.row)) < 0;
}

function isAnother(one: Candidate, other: Candidate): boolean {
  if (one.phone_key !== null && one.phone_key === other.phone_key) return false;
  const [site, otherSite] = [websiteDomain(one.website), websiteDomain(other.website)];
  const haveSites = site.kind === 'own' && otherSite.kind === 'own';
  if (haveSites && site.domain === otherSite.domain) return false;
  return haveSites || (one.phone_key !== null && other.phone_key !== null);
}

function businessesOf(row: Candidate): { one: Business; other: Business } {
  const one: Business = {
    name: row.lead_name,
    phoneKey: row.lead_phone,
    website: row.lead_website,
    address: row.lead_address,
    latitude: row.lead_latitude,
    longitude: row.lead_longitude,
  };
  const { name, phone_key: phoneKey, website, address, latitude, longitude } = row;
  return { one, other: { name, phoneKey, website, address, latitude, longitude } };
}

function reasonOf(row: Candidate, all: readonly Candidate[]): Reason | undefined {
  const { one, other } = businessesOf(row);
  const reason = sameBusiness(one, other);
  if (reason || row.lead_latitude !== null) return reason;
  // When the lead's position is not known, a domain decides only if a single business has it, perhaps in several sources.
  if (!sameDomain(row.website, row.lead_website)) return undefined;
  const ofDomain = all.filter(({ website }) => sameDomain(website, row.lead_website));
  return ofDomain.every((place) => place === row || sameBusiness(other, businessesOf(place).other))
    ? 'domain'
    : undefined;
}

type Wanted = {
  userId: string;
  releaseIds: readonly number[];
  leadIds: readonly string[];
  /** What a place must have to be of use. Others near the lead come along: they may be the business. */
  has: RawBuilder<unknown>;
  /** Whether the lead's own website may lead to it. */
  byHost: RawBuilder<boolean>;
};

async function candidates(db: Db | Tx, { userId, releaseIds, leadIds, has, byHost }: Wanted): Promise<Candidate[]> {
  const columns = sql`source, source_id, release_id, name, phone, website, email, address, latitude, longitude`;
  const open = sql`release_id = any(${releaseIds}) and not closed and gone_on is null`;
  const usable = sql`${has} and ${open}`;
  const near = (which: RawBuilder<unknown>) => sql`
    (select ${columns}, false from app.open_places
      where ${which} and ${open} and point(longitude, latitude) <@ box(
        point(lead.longitude - ${DEGREES} / greatest(cos(radians(lead.latitude)), 0.01), lead.latitude - ${DEGREES}),
        point(lead.longitude + ${DEGREES} / greatest(cos(radians(lead.latitude)), 0.01), lead.latitude + ${DEGREES}))
      order by point(longitude, latitude) <-> point(lead.longitude, lead.latitude) limit ${MOST * 5})`;
  const { rows } = await sql<Candidate>`
    select lead.id as lead_id, lead.business_name as lead_name, app.phone_key(lead.phone) as lead_phone,
      lead.website as lead_website, lead.address as lead_address, lead.latitude as lead_latitude, lead.longitude as lead_longitude,
      bool_or(place.known) as known,
      place.source || ':' || place.source_id as open_id, place.release_id, place.name, place.phone, app.phone_key(place.phone) as phone_key,
      place.website, place.email, place.address, place.latitude, place.longitude
    from public.leads as lead cross join lateral (
      (select ${columns}, true as known from app.open_places
        where ${open} and source = split_part(lead.open_id, ':', 1) and source_id = substr(lead.open_id, strpos(lead.open_id, ':') + 1))
      union all
      (select ${columns}, true from app.open_places join app.open_matches as known
          on source = split_part(known.open_id, ':', 1) and source_id = substr(known.open_id, strpos(known.open_id, ':') + 1)
        where ${open} and known.user_id = ${userId} and known.place_id = lead.place_id limit ${MOST})
      union all
      (select ${columns}, false from app.open_places where ${usable} and app.phone_key(phone) = app.phone_key(lead.phone)
        order by abs(latitude - lead.latitude) + abs(longitude - lead.longitude) limit ${MOST})
      union all
      (select ${columns}, false from app.open_places
        where ${byHost} and website is not null and ${open} and app.host_key(website) = app.host_key(lead.website) limit ${MOST})
      union all ${near(has)}
      union all ${near(sql`not ${has}`)}
    ) as place
    where lead.id = any(${leadIds}::uuid[]) and lead.email is null
    group by lead.id, place.source, place.source_id, place.release_id, place.name, place.phone, place.website, place.email,
      place.address, place.latitude, place.longitude
    order by place.source, place.source_id
  `.execute(db);
  return rows;
}
