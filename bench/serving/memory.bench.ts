import { setTimeout as pause } from 'node:timers/promises';
import { milesToMeters } from '#contract/work/search/search.ts';
import { startFairlead } from '../harness/fairlead.ts';
import { residentBytes } from '../harness/process-figures.ts';
import { report } from '../harness/report.ts';

const SEARCHES = 20;
/** The first searches fill caches and make V8 compile; a leak would go on after them. */
const ROUNDS = 4;
const MEGABYTE = 1_000_000;

const fairlead = await startFairlead({ heapOnSignal: true });
try {
  const heaps: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let search = 0; search < SEARCHES; search += 1) await searchOnce(round * SEARCHES + search);
    heaps.push(await fairlead.usedHeapBytes());
  }
  const [first = 0, ...others] = heaps;
  const last = others.at(-1) ?? 0;
  report([
    {
      name: `memory of the Node process after ${ROUNDS * SEARCHES} searches`,
      value: residentBytes(fairlead.pid) / MEGABYTE,
      unit: 'MB',
    },
    {
      name: `heap that a search leaves behind, after the first ${SEARCHES}`,
      value: (last - first) / ((ROUNDS - 1) * SEARCHES) / 1_000,
      unit: 'kB',
      limit: ['≤', 10],
      measured: heaps.map((bytes) => `${(bytes / MEGABYTE).toFixed(1)} MB`).join(', '),
    },
  ]);
} finally {
  await fairlead.stop();
}

async function searchOnce(number: number): Promise<void> {
  const listId = await fairlead.session.insertList(`Search ${number}`);
  const body = { query: 'plumber', location: 'Springfield, IL', list_id: listId, maxResults: 60 };
  await fairlead.session.post('/api/search-leads', { ...body, radius: milesToMeters(50) });
  // Google's limit of five calls a second would only make it wait longer.
  await pause(200);
}
