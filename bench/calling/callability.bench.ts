import { buildRandomCalls } from '#test/random-calls.ts';
import { type Fairlead, startFairlead } from '../harness/fairlead.ts';
import { createGetter } from '../harness/http-get.ts';
import { type Figure, report } from '../harness/report.ts';
import { median, percentile, timed } from '../harness/statistics.ts';

const LEADS = 100_000;
const ROUNDS = 15;
const WARM_UP_ROUNDS = 3;

const fairlead = await startFairlead();
try {
  report(await measure(fairlead));
} finally {
  await fairlead.stop();
}

/** Verdicts of a whole list as a browser gets them: read, judged, counted or sorted, and answered. */
async function measure({ db, url, session }: Fairlead): Promise<Figure[]> {
  const listId = await buildRandomCalls(db, session.userId, LEADS);
  const { get, close } = createGetter(session.headers);
  const list = `${url}/api/lists/${listId}`;
  const figures: Figure[] = [];
  const measured = async (name: string, work: () => Promise<unknown>, limit: number) => {
    const times = await sample(work);
    figures.push({
      name,
      value: median(times) / 1_000,
      unit: 's',
      limit: ['≤', limit],
      measured: `p95 ${(percentile(times, 95) / 1_000).toFixed(2)} s`,
    });
  };
  await measured(`verdicts of ${LEADS} leads, counted`, () => get(`${list}/callability`), 1);
  await measured('a page of those callable now first', () => get(`${list}/leads?sort=call.asc&limit=100`), 1);
  await measured('a page of those callable now', () => get(`${list}/leads?call=callable&limit=100`), 1);
  const counts = (body: object) => () => session.post(`/api/lists/${listId}/leads/counts`, body);
  await measured('counts of an export within 8 hours', counts({ call_within: 8 }), 1.5);
  close();
  return figures;
}

async function sample(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const ms = await timed(work);
    if (round >= 0) times.push(ms);
  }
  return times;
}
