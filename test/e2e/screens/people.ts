import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { PROVIDER_IDS } from '#contract/providers.ts';
import type { Db } from '#db/connection/client.ts';
import type { Session, Site } from '#test/e2e/harness/site.ts';
import { buildList, buildListOf } from '#test/lists.ts';
import { buildCallLists, type CallLists } from './call-lists.ts';
import { buildPaidWork, type PaidWork } from './paid-work.ts';
import { buildVisitedList } from './visited-sites.ts';
import { WIDTHS } from './widths.ts';

/** Who is an admin from their first sign-in. */
export const ADMIN = 'admin@people.example';

/** The number (E.164) that signs the spender in. */
export const CONFIRMED_NUMBER = '+12175550142';

/** The people who request links. Each width has another one, because an address gets one mail a minute. */
export const readerAt = (page: Page): string => readerOf(page.viewportSize()?.width ?? 0);
const readerOf = (width: number): string => `reader-${width}@people.example`;

/** Who is looking: someone new, someone with lists in every state, someone with runs in every state, someone who calls, and an admin. */
export type People = {
  newcomer: Session;
  regular: Session;
  spender: Session;
  caller: Session;
  admin: Session;
  lists: Record<ListName, string>;
  paid: PaidWork;
  calls: CallLists;
  /** The caller's list whose websites were visited. */
  visited: string;
};
export type ListName = 'plain' | 'enriched' | 'processing' | 'failed' | 'archived' | 'empty';

const TRADES = ['Dental Care', 'Family Dentistry', 'Smiles', 'Orthodontics', 'Dental Studio'];
const TOWNS = ['Abbersley', 'Calderstone', 'Dunmarsh', 'Elderwyn', 'Foxmere', 'Glenhaver', 'Hartspool', 'Jesmondale'];
const DAY_MS = 86_400_000;

const nameOf = (index: number) => `${TOWNS[index % TOWNS.length]} ${TRADES[index % TRADES.length]}`;

/** A lead as a search finds it; some lack a phone or a website. */
const found = (index: number) => ({
  business_name: nameOf(index),
  address: `${100 + index * 7} Elm St, Springfield, IL 627${String(index % 50).padStart(2, '0')}, USA`,
  ...(index % 9 === 4 ? {} : { phone: `+1 217-555-01${String(index).padStart(2, '0')}` }),
  ...(index % 6 === 5 ? {} : { website: `https://${nameOf(index).toLowerCase().replaceAll(' ', '-')}.example` }),
});

/** The same after enrichment and check, with every badge. */
const enriched = (index: number) => ({
  ...found(index),
  ...(index % 3 === 2
    ? {}
    : { email: `hello@${nameOf(index).toLowerCase().replaceAll(' ', '-')}.example`, email_confidence: 98 - index }),
  ...(index % 4 === 3 ? {} : { owner_name: `Olive ${TOWNS[index % TOWNS.length]}`, owner_title: 'Practice owner' }),
  email_verified: [true, false, undefined][index % 3] ?? null,
  phone_type: ['landline', 'mobile', 'voip'][index % 3] ?? null,
  compliance_status: ['safe', 'safe', 'dnc', 'safe', 'litigator', 'not_checked'][index % 6] ?? 'safe',
});

const leads = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export async function invitePeople(site: Site, db: Db): Promise<People> {
  const readers = WIDTHS.map(({ width }) => readerOf(width));
  for (const email of [
    'newcomer@people.example',
    'regular@people.example',
    'spender@people.example',
    'caller@people.example',
    ...readers,
  ])
    await db
      .insertInto('app.invitations')
      .values({ email, expires_at: new Date(Date.now() + DAY_MS) })
      .execute();
  const newcomer = await site.signIn('newcomer@people.example');
  const regular = await site.signIn('regular@people.example');
  await site.connect(regular, 'google_places', 'sandbox');
  await site.connect(regular, 'hunter_io', 'sandbox');
  await db
    .insertInto('auth.users')
    .values({
      email: 'spender@people.example',
      phone: CONFIRMED_NUMBER.slice(1),
      phone_confirmed_at: new Date(),
      raw_app_meta_data: '{}',
      raw_user_meta_data: '{}',
    })
    .execute();
  const spender = await site.signIn('spender@people.example');
  for (const provider of PROVIDER_IDS) await site.connect(spender, provider, 'sandbox');
  const caller = await site.signIn('caller@people.example');
  const admin = await site.signIn(ADMIN);
  await db
    .insertInto('app.training_videos')
    .values([
      { page_key: 'usage', title: 'Watch the tour', embed_code: 'https://youtu.be/aB3_-xyzQ09', is_active: true },
      { page_key: 'settings', title: 'Where to get keys', embed_code: 'https://vimeo.com/76543210', is_active: false },
    ])
    .execute();
  const lists = await buildLists(db, regular.userId);
  await buildSurvey(db, regular.userId, lists.plain);
  const [paid, calls] = [await buildPaidWork(db, spender.userId), await buildCallLists(db, caller.userId)];
  const visited = await buildVisitedList(db, caller.userId);
  return { newcomer, regular, spender, caller, admin, lists, paid, calls, visited };
}

/** The survey that a list was filled from, with a part in each state. */
async function buildSurvey(db: Db, userId: string, listId: string): Promise<void> {
  const [south, west, size] = [396_000_000, -898_000_000, 1_000_000];
  const states = [
    'complete',
    'complete',
    'failed',
    'complete',
    'saturated',
    'complete',
    'complete',
    'outside',
    'outside',
  ];
  const survey = await db
    .insertInto('app.surveys')
    .values({
      user_id: userId,
      sandbox: true,
      subject: 'springfield',
      label: 'Springfield, IL',
      area: JSON.stringify({ kind: 'circle', center: { latitude: 39.8, longitude: -89.64 }, meters: 16_093 }),
      frames: JSON.stringify([{ south, west, north: south + 3 * size, east: west + 3 * size }]),
      queries: ['dentist'],
      state: 'counted',
      passes: 1,
      free_calls: 214,
      reprobe: JSON.stringify({ leaves: 12, seen: 340, new: 3, missedShare: 0.009, low: 0.002, high: 0.021 }),
      finished_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('app.survey_tiles')
    .values(
      states.map((state, at) => ({
        survey_id: survey.id,
        query: 0,
        south: south + Math.floor(at / 3) * size,
        north: south + (Math.floor(at / 3) + 1) * size,
        west: west + (at % 3) * size,
        east: west + ((at % 3) + 1) * size,
        state,
        ids: state === 'outside' ? [] : leads(7 + at * 5, (index) => `place-${at}-${index}`),
        pages: state === 'outside' ? 0 : 1 + (at % 3),
      })),
    )
    .execute();
  await db
    .insertInto('app.survey_places')
    .values(leads(154, (index) => ({ survey_id: survey.id, place_id: `place-${index}` })))
    .execute();
  await db.insertInto('app.list_surveys').values({ list_id: listId, survey_id: survey.id }).execute();
}

async function buildLists(db: Db, userId: string): Promise<Record<ListName, string>> {
  const asked = (businessType: string, location: string) => ({
    name: `${businessType} in ${location}`,
    search_params: JSON.stringify({ businessType, location, radius: '25', maxResults: '60' }),
    resolved_place: location,
  });
  const days = (count: number) => new Date(Date.now() - count * DAY_MS);
  const lists = {
    plain: await buildListOf(db, userId, leads(48, found), {
      ...asked('dentist', 'Springfield, IL'),
      created_at: days(1),
    }),
    enriched: await buildListOf(db, userId, leads(60, enriched), {
      ...asked('orthodontist', 'Springfield, IL'),
      tier2_complete: true,
      compliance_checked: true,
      completeness: 65,
      compliance_cost_micros: 1_080_000,
      has_emails: true,
      has_contacts: true,
      created_at: days(27),
      retention_from: days(27),
    }),
    processing: await buildListOf(db, userId, leads(60, found), {
      ...asked('plumber', 'Austin, TX'),
      status: 'processing',
    }),
    failed: await buildListOf(db, userId, leads(20, found), { ...asked('roofer', 'Denver, CO'), status: 'failed' }),
    archived: await buildListOf(db, userId, leads(30, found), {
      ...asked('bakery', 'Portland, OR'),
      lifecycle_status: 'archived',
      archived_at: days(4),
      created_at: days(40),
    }),
    empty: await buildListOf(db, userId, [], { ...asked('submarine repair', 'Helena, MT'), created_at: days(3) }),
  };
  const searching = await buildList(db, userId, { ...asked('florist', 'Nashville, TN'), sandbox: true });
  const run = { user_id: userId, list_name: '', input: '{}', sandbox: true };
  const atWork = { state: 'running', lease_owner: randomUUID(), lease_expires_at: new Date(Date.now() + DAY_MS) };
  const enrichment = { leads: 60, withoutWebsite: 10, domains: 50, domainsDone: 8, sites: 42, sitesDone: 12 };
  await db
    .insertInto('app.runs')
    .values([
      {
        ...run,
        list_id: lists.plain,
        kind: 'search',
        state: 'completed',
        input: JSON.stringify({
          maxResults: 'all',
          queries: ['dentist'],
          area: { kind: 'circle' },
          location: 'Springfield, IL',
          radius: 16_093,
        }),
        estimate_micros: 245_000,
        finished_at: days(1),
      },
      { ...run, ...atWork, list_id: searching, kind: 'search', estimate_micros: 137_000 },
      {
        ...run,
        ...atWork,
        list_id: lists.processing,
        kind: 'enrichment',
        totals: JSON.stringify(enrichment),
        estimate_micros: 2_500_000,
      },
      {
        ...run,
        list_id: lists.failed,
        kind: 'enrichment',
        state: 'failed',
        error_code: 'OUT_OF_CREDIT',
        error_message:
          'The credits of your Hunter plan are used up. Upgrade the plan, or wait until its credits renew.',
        finished_at: new Date(),
      },
    ])
    .execute();
  return lists;
}
