import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { Coverage } from '#contract/work/search/coverage.ts';
import { SurveyCount } from '#contract/work/search/surveys.ts';
import type { Db } from '#db/connection/client.ts';
import { seededRandom } from '#sandbox/businesses/random.ts';
import { type Fairlead, startFairlead } from '../harness/fairlead.ts';
import { type Figure, report } from '../harness/report.ts';

const CITIES = Number(process.env.SURVEY_CITIES ?? 100);
const AREAS = Number(process.env.SURVEY_AREAS ?? 200);
/** By how much the stated share may be off, of all places. */
const POINTS = 0.02;
/** How often a list is searched: what one search did not bring is asked for again by the next. */
const SEARCHES = 3;
const CENTER = { latitude: 38.5, longitude: -98.5 };

// Spacing is not what is measured: a key may be used as fast as the machine can.
const accelerate = new URL('../../test/chaos/harness/accelerate.ts', import.meta.url).href;
const fairlead = await startFairlead({ env: { NODE_OPTIONS: `--import=${accelerate}` } });
try {
  report([
    ...(await measureStatedShare(fairlead, '15', 2, 0.97)),
    ...(await measureStatedShare(fairlead, '46', 4, 0.95)),
    ...(await measureQuotes(fairlead)),
  ]);
} finally {
  await fairlead.stop();
}

/** How often the stated share of missed places is right, what several surveys reach together, and what of it comes into the list. */
async function measureStatedShare(
  site: Fairlead,
  mode: '15' | '46',
  surveys: number,
  reached: number,
): Promise<Figure[]> {
  let right = 0;
  let found = 0;
  let all = 0;
  let listed = 0;
  let certified = 0;
  for (let city = 0; city < CITIES; city += 1) {
    const places = 400 + city;
    const area = { ...circle(15_000), query: `${mode} shops ${city}` };
    await saveKey(site, `bench-city-${places}-leaves-out-${mode}`);
    await countToEnd(site, area);
    const listId = await site.session.insertList('An area');
    const { uniqueIds, unplaced, reprobe } = await certify(site, area, listId);
    for (let search = 2; search < SEARCHES; search += 1) await certify(site, area, listId);
    listed += (await certify(site, area, listId)).inList ?? 0;
    certified += uniqueIds - unplaced;
    const truth = 1 - uniqueIds / places;
    if (Math.abs((reprobe?.missedShare ?? 1) - truth) <= POINTS) right += 1;
    for (let survey = 1; survey < surveys; survey += 1) await countToEnd(site, { ...area, again: true });
    found += (await countToEnd(site, area)).found;
    all += places;
  }
  return [
    {
      name: `answers lack ${mode} %: cities whose stated share is right`,
      value: right / CITIES,
      unit: '×',
      limit: ['≥', 0.9],
    },
    {
      name: `answers lack ${mode} %: found by ${surveys} surveys`,
      value: found / all,
      unit: '×',
      limit: ['≥', reached],
    },
    {
      name: `answers lack ${mode} %: of those found by one, in the list after ${SEARCHES} searches`,
      value: listed / certified,
      unit: '×',
      ...(mode === '15' ? { limit: ['≥', 0.98] as const } : {}),
    },
  ];
}

/** In how many random areas no more was charged than was quoted, and exactly that where answers are stable. */
async function measureQuotes(site: Fairlead): Promise<Figure[]> {
  const random = seededRandom('areas');
  let kept = 0;
  let exact = 0;
  let stable = 0;
  for (let at = 0; at < AREAS; at += 1) {
    const area = {
      ...circle(500 + random.below(9_000), {
        latitude: CENTER.latitude + (random.next() - 0.5) * 0.1,
        longitude: CENTER.longitude + (random.next() - 0.5) * 0.1,
      }),
      query: `quoted shops ${at}`,
    };
    const differs = random.pick(['', '-leaves-out-15', '-leaves-out-46']);
    const kind = random.pick(['clustered', 'uniform', 'coincident']);
    await saveKey(site, `bench-city-${200 + random.below(400)}-${kind}${differs}`);
    const { boundMicros } = await countToEnd(site, area);
    const before = site.sandbox.meter.totals('google').micros;
    await certify(site, area, await site.session.insertList('An area'));
    const charged = site.sandbox.meter.totals('google').micros - before;
    if (charged <= boundMicros) kept += 1;
    if (differs !== '') continue;
    stable += 1;
    if (charged === boundMicros) exact += 1;
  }
  return [
    { name: `of ${AREAS} random areas, charged at most as quoted`, value: kept / AREAS, unit: '×', limit: ['≥', 1] },
    { name: 'of those with stable answers, exactly as quoted', value: exact / stable, unit: '×', limit: ['≥', 1] },
  ];
}

function circle(radius: number, center = CENTER) {
  return { maxResults: 'all', area: { kind: 'circle', center }, radius };
}

async function saveKey({ session }: Fairlead, apiKey: string): Promise<void> {
  await session.post('/api/keys/test', { provider: 'google_places', apiKey, save: true });
}

async function countToEnd({ session, db }: Fairlead, area: object): Promise<SurveyCount> {
  await withoutLimits(db);
  await session.post('/api/search-leads/count', area);
  for (let open = 1; open > 0; await pause(20)) {
    const { rows } = await sql<{ open: number }>`
      select count(*)::integer as open from app.runs where state in ('queued', 'running')
    `.execute(db);
    open = rows[0]?.open ?? 0;
  }
  const counted = SurveyCount.parse(
    await session.post('/api/search-leads/count', { ...area, again: undefined, watch: true }),
  );
  if (counted.state !== 'counted') throw new Error(`The survey stopped: ${counted.why}`);
  return counted;
}

/** Someone asks more often here than a person may in a minute. */
async function withoutLimits(db: Db): Promise<void> {
  await sql`delete from app.rate_limits`.execute(db);
}

/** Fills a list, and returns its certificate. */
async function certify({ session, db, url }: Fairlead, area: object, listId: string): Promise<Coverage> {
  await withoutLimits(db);
  await session.post('/api/search-leads', { ...area, list_id: listId });
  for (;;) {
    const { status } = await db.selectFrom('lists').select('status').where('id', '=', listId).executeTakeFirstOrThrow();
    if (status !== 'processing') break;
    await pause(50);
  }
  const answer = await fetch(`${url}/api/lists/${listId}/coverage`, { headers: session.headers });
  return Coverage.parse(((await answer.json()) as { data: unknown }).data);
}
