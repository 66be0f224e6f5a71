import { setTimeout as pause } from 'node:timers/promises';
import { createEmailFinder } from '#providers/hunter/adapter.ts';
import { buildListOf } from '#test/lists.ts';
import { PROVIDER_KEYS, startFairlead } from '../harness/fairlead.ts';
import { createRecordingFetch } from '../harness/recording-fetch.ts';
import { report } from '../harness/report.ts';
import { inMs, median, timed } from '../harness/statistics.ts';

const LATENCY_MS = 200;
const DOMAINS = 60;
const ROUNDS = 3;
/** Hunter allows 10 calls in any second: the first ten leave at once, the last of 60 five seconds later. 400 a minute is not reached. */
const LAST_LEAVES_AFTER_MS = (Math.ceil(DOMAINS / 10) - 1) * 1_000;

const fairlead = await startFairlead({ latencyMs: LATENCY_MS });
try {
  const runs: number[] = [];
  const calls: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const names = Array.from({ length: DOMAINS }, (_, index) => `business-${round}-${index}.example`);
    const listId = await buildListOf(
      fairlead.db,
      fairlead.session.userId,
      names.map((name) => ({ website: `https://www.${name}/` })),
      { sandbox: false },
    );
    calls.push(await oneCall(`alone-${round}.example`));
    // Until the slots of the round before are free again.
    await pause(1_100);
    runs.push(await timed(() => enrich(listId)));
  }
  const [run, call] = [median(runs), median(calls)];
  const allowed = LAST_LEAVES_AFTER_MS + call;
  report([
    {
      name: `enrichment of ${DOMAINS} domains, ${LATENCY_MS} ms a call`,
      value: run / allowed,
      unit: '×',
      limit: ['≤', 1.2],
      measured: inMs(run),
      against: `what Hunter's limits allow, ${inMs(allowed)}`,
    },
  ]);
} finally {
  await fairlead.stop();
}

async function enrich(listId: string): Promise<void> {
  const { total_domains_processed: done } = (await fairlead.session.post('/api/enrich/emails', {
    list_id: listId,
    steps: ['hunter'],
  })) as { total_domains_processed: number };
  if (done !== DOMAINS) throw new Error(`${done} domains were looked up instead of ${DOMAINS}.`);
}

async function oneCall(domain: string): Promise<number> {
  const recording = createRecordingFetch();
  const baseUrl = `${fairlead.sandbox.url}/hunter`;
  await createEmailFinder({ apiKey: PROVIDER_KEYS.hunter_io, baseUrl, fetch: recording.fetch }).searchDomain(domain);
  return timed(() => recording.replay());
}
