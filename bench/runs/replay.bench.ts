import { type Actor, replay } from '#test/replay.ts';
import { PROVIDER_KEYS, startFairlead } from '../harness/fairlead.ts';
import { report } from '../harness/report.ts';
import { signIn } from '../harness/sign-in.ts';

const PEOPLE = ['ada', 'bo', 'cy', 'di', 'ed'];
const DAYS = 30;
const LEADS_A_DAY = 20;
const OVERLAP = 0.4;
const IN_A_WEEK_MS = 7 * 86_400_000;

const fairlead = await startFairlead();
try {
  const actors = await Promise.all(PEOPLE.map(actor));
  const { spent, saved, withoutMemory, paidTwice } = await replay(fairlead.db, actors, {
    days: DAYS,
    leadsADay: LEADS_A_DAY,
    overlap: OVERLAP,
    sandbox: false,
  });
  const name = `${DAYS} days of ${PEOPLE.length} people, ${OVERLAP * 100} % overlap`;
  const dollars = (micros: number) => `$${(micros / 1_000_000).toFixed(2)}`;
  const metered = fairlead.sandbox.meter.totals().micros;
  report([
    { name: `${name}: paid twice`, value: paidTwice, unit: 'calls', limit: ['≤', 0] },
    {
      name: `${name}: saved, off by`,
      value: Math.abs(saved - (withoutMemory - spent)),
      unit: 'µ$',
      limit: ['≤', 0],
      measured: dollars(saved),
      against: `${dollars(withoutMemory)} without memory, less ${dollars(spent)} spent`,
    },
    {
      name: `${name}: spent, off by`,
      value: Math.abs(spent - metered),
      unit: 'µ$',
      limit: ['≤', 0],
      measured: dollars(spent),
      against: `${dollars(metered)} on the meter`,
    },
  ]);
} finally {
  await fairlead.stop();
}

/** Someone with keys of their own. */
async function actor(name: string): Promise<Actor> {
  const email = `${name}@people.example`;
  await fairlead.db
    .insertInto('app.invitations')
    .values({ email, expires_at: new Date(Date.now() + IN_A_WEEK_MS) })
    .execute();
  const session = await signIn(fairlead.url, email);
  for (const provider of ['google_places', 'hunter_io', 'searchbug'] as const)
    await session.post('/api/keys/test', { provider, apiKey: `${PROVIDER_KEYS[provider]}-${name}`, save: true });
  const circle = { location: 'Springfield, IL', radius: 40_234, maxResults: 60 };
  return {
    userId: session.userId,
    search: (list_id, query) => session.post('/api/search-leads', { ...circle, list_id, query }),
    enrich: (list_id) => session.post('/api/enrich/emails', { list_id, steps: ['hunter'] }),
    check: (list_id) => session.post('/api/compliance', { list_id }),
  };
}
