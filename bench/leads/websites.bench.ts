import { startSandbox } from '#sandbox/start-sandbox.ts';
import { plantedSite } from '#sandbox/websites/planted-site.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { startFairlead } from '../harness/fairlead.ts';
import { report } from '../harness/report.ts';
import { inMs, timed } from '../harness/statistics.ts';

const LATENCY_MS = 100;
const SITES = 400;
const MINUTE_MS = 60_000;

/** Websites and names of their own, so that the lists count as real and the meter tells what was paid. */
const world = await startSandbox({ port: 0, host: '127.0.0.1', latencyMs: LATENCY_MS });
const fairlead = await startFairlead({
  env: { WEBSITES_URL: world.websites.url, DNS_SERVER: world.websites.dnsServer },
});
try {
  const names = Array.from({ length: SITES }, (_, index) => `bench-${index}.example`);
  const listOf = () =>
    buildListOf(
      fairlead.db,
      fairlead.session.userId,
      names.map((name) => ({ website: `https://www.${name}/` })),
      { sandbox: false },
    );
  const enrich = (listId: string, steps: string[]) =>
    fairlead.session.post('/api/enrich/emails', { list_id: listId, steps });
  const billed = () => fairlead.sandbox.meter.totals('hunter').billedUnits;

  const listId = await listOf();
  const visiting = await timed(() => enrich(listId, ['website']));
  const emails = (await readLeads(fairlead.db, listId)).filter(({ email }) => email !== null).length;
  const expected = names.filter((name) => plantedSite(name).expected.email !== undefined).length;
  await enrich(listId, ['website', 'hunter']);
  const withSites = billed();
  // A list without what the websites told: Hunter alone is asked for the rest, and what it told before it remembers.
  await enrich(await listOf(), ['hunter']);
  const alone = billed();
  report([
    {
      name: `websites of ${SITES} businesses, ${LATENCY_MS} ms an answer, a minute`,
      value: SITES / (visiting / MINUTE_MS) / 200,
      unit: '×',
      limit: ['≥', 1],
      measured: `${SITES} in ${inMs(visiting)}`,
      against: '200 a minute',
    },
    {
      name: 'emails that the websites told',
      value: emails / expected,
      unit: '×',
      limit: ['≥', 0.95],
      measured: String(emails),
      against: `${expected} that are planted`,
    },
    {
      name: 'paid calls of Hunter, with the websites first',
      value: withSites / alone,
      unit: '×',
      limit: ['≤', 0.5],
      measured: String(withSites),
      against: `${alone} with Hunter alone`,
    },
  ]);
} finally {
  await fairlead.stop();
  await world.close();
}
