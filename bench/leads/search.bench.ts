import { milesToMeters } from '#contract/work/search/search.ts';
import { boundingBox } from '#providers/geo.ts';
import { createPlaceFinder } from '#providers/google-places/adapter.ts';
import { type Fairlead, PROVIDER_KEYS, startFairlead } from '../harness/fairlead.ts';
import { createRecordingFetch } from '../harness/recording-fetch.ts';
import { report } from '../harness/report.ts';
import { inMs, median, timed } from '../harness/statistics.ts';

const LATENCY_MS = 200;
const CATEGORY = 'plumber';
const RADIUS_METERS = milesToMeters(50);
const MAX_RESULTS = 60;
/** A place is located once, so each search needs another one. */
const PLACES = [
  'Springfield, IL',
  'Austin, TX',
  'Denver, CO',
  'Columbus, OH',
  'Tulsa, OK',
  'Boise, ID',
  'Omaha, NE',
  'Dallas, TX',
  'Phoenix, AZ',
  'Seattle, WA',
  'Portland, OR',
  'Houston, TX',
  'Chicago, IL',
  'Miami, FL',
  'Atlanta, GA',
  'Boston, MA',
  'Detroit, MI',
  'Memphis, TN',
  'Nashville, TN',
  'Charlotte, NC',
  'Raleigh, NC',
  'Tampa, FL',
  'Orlando, FL',
  'Cleveland, OH',
  'Cincinnati, OH',
  'Milwaukee, WI',
  'Minneapolis, MN',
  'Kansas City, MO',
  'St. Louis, MO',
  'Las Vegas, NV',
];
/** Searches that do not count: until V8 has compiled what runs, and each session has kept the plans of its statements. */
const WARM_UP = 18;

/** Searches in which waits are counted. The proxy that counts them takes time of its own. */
const COUNTED = 5;

const { searches, calls } = await measure(PLACES, { countWaits: false });
const { waits } = await measure(PLACES.slice(0, COUNTED), { countWaits: true });
const [search1, calls4] = [median(searches.slice(WARM_UP)), median(calls.slice(WARM_UP))];
report([
  {
    name: `search of ${MAX_RESULTS} results, ${LATENCY_MS} ms a call`,
    value: search1 / calls4,
    unit: '×',
    limit: ['≤', 1.05],
    measured: inMs(search1),
    against: `its four calls alone, ${inMs(calls4)}`,
  },
  { name: 'waits for PostgreSQL', value: median(waits), unit: 'calls', limit: ['≤', 25] },
]);

/** Searches for each place, and sends the calls of each search by themselves. Times are in ms. */
async function measure(places: readonly string[], { countWaits }: { countWaits: boolean }) {
  const fairlead = await startFairlead({ latencyMs: LATENCY_MS, countWaits });
  const searches: number[] = [];
  const calls: number[] = [];
  const waits: number[] = [];
  try {
    for (const location of places) {
      const direct = await recordCalls(fairlead, location);
      const listId = await fairlead.session.insertList(`${CATEGORY} in ${location}`);
      const before = fairlead.sandbox.meter.totals('google').calls;
      const waited = fairlead.waits();
      searches.push(await timed(() => search(fairlead, listId, location)));
      waits.push(fairlead.waits() - waited);
      const sent = fairlead.sandbox.meter.totals('google').calls - before;
      if (sent !== 4) throw new Error(`A search of ${location} took ${sent} calls instead of 4.`);
      calls.push(await timed(() => direct.replay()));
    }
  } finally {
    await fairlead.stop();
  }
  return { searches, calls, waits };
}

async function search(fairlead: Fairlead, listId: string, location: string): Promise<void> {
  const { leads } = (await fairlead.session.post('/api/search-leads', {
    query: CATEGORY,
    location,
    list_id: listId,
    radius: RADIUS_METERS,
    maxResults: MAX_RESULTS,
  })) as { leads: unknown[] };
  if (leads.length === 0) throw new Error(`The search of ${location} found nothing.`);
}

/** Sends what a search sends, to know the requests. */
async function recordCalls(fairlead: Fairlead, location: string) {
  const recording = createRecordingFetch();
  const finder = createPlaceFinder({
    apiKey: PROVIDER_KEYS.google_places,
    baseUrl: `${fairlead.sandbox.url}/google`,
    fetch: recording.fetch,
  });
  const center = await finder.locate(location);
  if (!center) throw new Error(`${location} is not known.`);
  const query = {
    category: CATEGORY,
    within: boundingBox(center.latitude, center.longitude, RADIUS_METERS),
    pageSize: 20,
  };
  const first = await finder.searchPage(query);
  const second = await finder.searchPage({ ...query, pageToken: first.nextPageToken ?? '' });
  await finder.searchPage({ ...query, pageToken: second.nextPageToken ?? '' });
  return recording;
}
