import { setTimeout as pause } from 'node:timers/promises';
import { createPhoneScrubber } from '#providers/searchbug/adapter.ts';
import { buildListOf } from '#test/lists.ts';
import { PROVIDER_KEYS, startFairlead } from '../harness/fairlead.ts';
import { createRecordingFetch } from '../harness/recording-fetch.ts';
import { report } from '../harness/report.ts';
import { inMs, median, timed } from '../harness/statistics.ts';

const LATENCY_MS = 200;
const NUMBERS = 60;
const BATCH = 20;
/** Verdicts are remembered, so each round needs other numbers. */
const AREA_CODES = (
  '217 512 303 614 918 208 402 214 713 602 206 503 312 415 305 404 617 702 816 901 502 504 505 405 ' +
  '213 310 212 718 215 412 313 216 317 414 612 314 515 316 501 601'
).split(' ');
/** Rounds that do not count: until V8 has compiled what runs, and each session has kept the plans of its statements. */
const WARM_UP = 20;

const fairlead = await startFairlead({ latencyMs: LATENCY_MS });
try {
  const checks: number[] = [];
  const calls: number[] = [];
  for (const areaCode of AREA_CODES) {
    const phones = Array.from(
      { length: NUMBERS },
      (_, index) => `+1 ${areaCode}-555-01${String(index).padStart(2, '0')}`,
    );
    const listId = await buildListOf(
      fairlead.db,
      fairlead.session.userId,
      phones.map((phone) => ({ phone })),
      { sandbox: false },
    );
    const before = fairlead.sandbox.meter.totals('searchbug').billedUnits;
    checks.push(await timed(() => fairlead.session.post('/api/compliance', { list_id: listId })));
    const billed = fairlead.sandbox.meter.totals('searchbug').billedUnits - before;
    if (billed !== NUMBERS) throw new Error(`${billed} numbers were checked instead of ${NUMBERS}.`);
    calls.push(await oneCall(phones.slice(0, BATCH).map((phone) => phone.replace(/\D/g, '').slice(1))));
    // Until the slots of this round are free again.
    await pause(1_000);
  }
  const [check, call] = [median(checks.slice(WARM_UP)), median(calls.slice(WARM_UP))];
  report([
    {
      name: `compliance of ${NUMBERS} numbers, ${LATENCY_MS} ms a call`,
      value: check / call,
      unit: '×',
      limit: ['≤', 1.2],
      measured: inMs(check),
      against: `one call alone, ${inMs(call)}`,
    },
  ]);
} finally {
  await fairlead.stop();
}

async function oneCall(numbers: readonly string[]): Promise<number> {
  const recording = createRecordingFetch();
  const baseUrl = `${fairlead.sandbox.url}/searchbug`;
  await createPhoneScrubber({ apiKey: PROVIDER_KEYS.searchbug, baseUrl, fetch: recording.fetch }).scrub(numbers);
  return timed(() => recording.replay());
}
