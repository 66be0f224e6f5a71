import { setTimeout as pause } from 'node:timers/promises';
import { SurveyCount } from '#contract/work/search/surveys.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { startFairlead } from '../harness/fairlead.ts';
import { type Figure, report } from '../harness/report.ts';
import { timed } from '../harness/statistics.ts';

const PLACES = Number(process.env.SURVEY_PLACES ?? 5_000);
const [{ calls, windowMs } = { calls: 1, windowMs: 1_000 }] = SPACING.google_places;
const AREA = {
  maxResults: 'all',
  area: { kind: 'circle', center: { latitude: 38.5, longitude: -98.5 } },
  radius: 15_000,
};

const fairlead = await startFairlead();
const figures: Figure[] = [];
try {
  for (const kind of ['uniform', 'clustered', 'coincident']) {
    const apiKey = `bench-city-${PLACES}-${kind}`;
    await fairlead.session.post('/api/keys/test', { provider: 'google_places', apiKey, save: true });
    // A survey belongs to a person and an area, with any key, so each city needs a business type of its own.
    const area = { ...AREA, query: `${kind} shops` };
    const before = fairlead.sandbox.meter.totals('google');
    let counted = await count(area);
    const surveyed = await timed(async () => {
      while (counted.state === 'counting') {
        await pause(500);
        counted = await count(area);
      }
    });
    const listId = await fairlead.session.insertList(`A ${kind} city`);
    const bought = await timed(() => search(area, listId));
    const rows = await fairlead.db.selectFrom('leads').select('place_id').where('list_id', '=', listId).execute();
    const meter = fairlead.sandbox.meter.totals('google');
    const pages = meter.billedUnits - before.billedUnits;
    const thousands = rows.length / 1_000;
    const asLongAs = ((counted.freeCalls + pages) * windowMs) / calls;
    figures.push(
      { name: `${kind} city: places found`, value: rows.length / PLACES, unit: '×', limit: ['≥', recallOf(kind)] },
      { name: `${kind} city: paid pages for 1,000`, value: pages / thousands, unit: 'calls', limit: ['≤', 70] },
      {
        name: `${kind} city: free calls for 1,000`,
        value: counted.freeCalls / thousands,
        unit: 'calls',
        limit: ['≤', 200],
      },
      {
        name: `${kind} city: charged of the quote`,
        value: (meter.micros - before.micros) / counted.boundMicros,
        unit: '×',
        limit: ['≤', 1],
      },
      {
        name: `${kind} city: time, of what the key allows`,
        value: (surveyed + bought) / asLongAs,
        unit: '×',
        limit: ['≤', 1.1],
        measured: `${Math.round((surveyed + bought) / 1_000)} s`,
      },
    );
  }
  report(figures);
} finally {
  await fairlead.stop();
}

/** All of them, but where more lie on one spot than Google shows. */
function recallOf(kind: string): number {
  return kind === 'coincident' ? 0.98 : 1;
}

async function count(area: object): Promise<SurveyCount> {
  return SurveyCount.parse(await fairlead.session.post('/api/search-leads/count', area));
}

async function search(area: object, listId: string): Promise<void> {
  await fairlead.session.post('/api/search-leads', { ...area, list_id: listId });
  for (;;) {
    const list = await fairlead.db
      .selectFrom('lists')
      .select('status')
      .where('id', '=', listId)
      .executeTakeFirstOrThrow();
    if (list.status === 'completed') return;
    if (list.status === 'failed') throw new Error('The search failed.');
    await pause(200);
  }
}
