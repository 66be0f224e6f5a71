import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { DB } from '#db/types.gen.ts';
import { buildListOf } from '#test/lists.ts';

/** Runs in each of their states, by name. */
export type RunName = 'running' | 'queued' | 'down' | 'cancelled' | 'lost' | 'stuck' | 'nothing' | 'found' | 'pages';
/** Lists that these runs are of, by name. */
export type PaidListName = 'at work' | 'waiting' | 'cancelled' | 'lost' | 'stuck' | 'expired';
export type PaidWork = { runs: Record<RunName, string>; lists: Record<PaidListName, string>; leadId: string };

type Call = Partial<Insertable<DB['app.paid_calls']>>;

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const ago = (ms: number) => new Date(Date.now() - ms);
const TOMORROW = ago(-DAY_MS);

const PROVIDER = { search: 'google_places', enrichment: 'hunter_io', compliance: 'searchbug' };
const OPERATION = { search: 'search_page', enrichment: 'domain_search', compliance: 'phone_scrub' };
const PRICE = { search: 35_000, enrichment: 49_000, compliance: 20_000 };
type Kind = keyof typeof PRICE;

const SUBJECT: Record<Kind, (index: number) => string> = {
  search: (index) => `florist around Tulsa, page ${index + 1}`,
  enrichment: (index) =>
    index === 1 ? `${'very-long-name-of-a-'.repeat(3)}business.example` : `florist-${index}.example`,
  compliance: (index) => `918555${String(index).padStart(4, '0')}`,
};

/** Everything that someone sees of money: runs and their calls, budgets, a year's usage, and where values come from. */
export async function buildPaidWork(db: Db, userId: string): Promise<PaidWork> {
  const add = (listId: string, name: string) => addRunsOf(db, { userId, listId, name });
  const lead = (index: number) => ({
    business_name: `Tulsa Florist ${index}`,
    address: `${index} Elm St, Tulsa, OK 74103, USA`,
    phone: `+1 918-555-${String(index).padStart(4, '0')}`,
    website: `https://florist-${index}.example`,
  });
  const leads = (count: number, more: (index: number) => object = () => ({})) =>
    Array.from({ length: count }, (_, index) => ({ ...lead(index), ...more(index) }));
  const list = (
    name: string,
    count: number,
    more: Partial<Insertable<DB['lists']>> = {},
    each?: (index: number) => object,
  ) => buildListOf(db, userId, leads(count, each), { name, ...more });
  const LONG = 'veterinary emergency hospital and pet ambulance in Rancho Santa Margarita, CA';
  const lists = {
    'at work': await list('florist in Tulsa, OK', 60, { status: 'processing' }),
    waiting: await list('plumber in Boise, ID', 40, { status: 'processing' }),
    cancelled: await list('bakery in Columbus, OH', 48),
    lost: await list(LONG, 60, { compliance_checked: true, compliance_cost_micros: 1_120_000 }),
    stuck: await list('hair salon in Denver, CO', 52, { status: 'failed' }),
    expired: await list(
      'dentist in Springfield, IL',
      30,
      { compliance_checked: true, tier2_complete: true, has_emails: true, compliance_cost_micros: 600_000 },
      (index) => ({
        compliance_status: index % 7 === 6 ? 'dnc' : 'safe',
        compliance_checked_at: ago((index % 3 === 0 ? 40 : 2) * DAY_MS),
        compliance_reason: index % 7 === 6 ? 'On the federal do-not-call list' : null,
        email: `hello@florist-${index}.example`,
        email_confidence: 94,
        owner_name: 'Olive Abbersley',
        owner_title: 'Owner',
      }),
    ),
  };
  const atWork = await add(lists['at work'], 'florist in Tulsa, OK');
  const waiting = await add(lists.waiting, 'plumber in Boise, ID');
  const cancelled = await add(lists.cancelled, 'bakery in Columbus, OH');
  const lost = await add(lists.lost, LONG);
  const stuck = await add(lists.stuck, 'hair salon in Denver, CO');
  const expired = await add(lists.expired, 'dentist in Springfield, IL');

  const found = await atWork(
    'search',
    { state: 'completed', totals: { requested: 60, found: 71, kept: 60, outsideRadius: 8, closed: 3, pages: 4 } },
    [...times(4, { state: 'answered' })],
  );
  const running = await atWork(
    'compliance',
    { state: 'running', totals: { leads: 60, withoutPhone: 4, numbers: 56, numbersDone: 23, safe: 18, flagged: 5 } },
    [...times(23, { state: 'answered' }), ...times(4, { state: 'sent' }), ...times(29, { state: 'planned' })],
  );
  const queued = await atWork('enrichment', { state: 'queued', totals: {} }, []);
  const down = await waiting(
    'enrichment',
    {
      state: 'running',
      waiting_reason: 'provider_down',
      waiting_until: ago(-7 * MINUTE_MS),
      totals: { leads: 40, withoutWebsite: 3, onSharedHost: 2, domains: 35, domainsDone: 11 },
    },
    [...times(11, { state: 'answered' }), ...times(24, { state: 'planned', attempts: 2, sent_at: ago(MINUTE_MS) })],
  );
  await cancelled(
    'search',
    { state: 'completed', totals: { requested: 60, found: 48, kept: 48 } },
    times(3, { state: 'answered' }),
  );
  const stopped = await cancelled(
    'compliance',
    { state: 'cancelled', totals: { leads: 48, numbers: 48, numbersDone: 19, safe: 15, flagged: 4 } },
    [
      ...times(19, { state: 'answered' }),
      ...times(3, { state: 'failed', error_message: 'The run was canceled before this was sent.' }),
    ],
  );
  const pages = await lost(
    'search',
    { state: 'completed', totals: { requested: 60, found: 60, kept: 60, pagesLost: 1 } },
    [
      ...times(3, { state: 'answered' }),
      { state: 'uncertain', error_message: 'The server stopped while the answer was on its way.' },
    ],
  );
  const lostAnswers = await lost(
    'compliance',
    {
      state: 'completed',
      totals: {
        leads: 60,
        withoutPhone: 2,
        notUs: 1,
        numbers: 57,
        numbersDone: 54,
        numbersUncertain: 3,
        safe: 43,
        flagged: 11,
      },
    },
    [
      ...times(54, { state: 'answered' }),
      ...times(3, {
        state: 'uncertain',
        error_message: 'The connection broke before the response came. It may have been charged.',
      }),
      { state: 'failed', settled_by_hand_at: ago(MINUTE_MS), cost_micros: PRICE.compliance },
      { state: 'failed', settled_by_hand_at: ago(MINUTE_MS), cost_micros: 0 },
    ],
  );
  const stuckRun = await stuck(
    'enrichment',
    {
      state: 'failed',
      error_code: 'STOOD_STILL',
      error_message:
        'The work stalled twice for more than a minute and was stopped. What was found so far is kept. Press Retry to continue.',
      totals: { leads: 52, domains: 44, domainsDone: 12, emailsAdded: 9, contactsAdded: 6 },
    },
    [
      ...times(12, { state: 'answered' }),
      { state: 'failed', attempts: 3, error_message: 'Hunter answered with an error (503).' },
    ],
  );
  const nothing = await expired(
    'enrichment',
    { state: 'completed', totals: { leads: 30, domains: 30, domainsDone: 30, domainsKnown: 30 } },
    [],
  );
  const earlier = await expired(
    'compliance',
    {
      state: 'completed',
      created_at: ago(12 * DAY_MS),
      totals: { numbers: 30, numbersDone: 30, safe: 26, flagged: 4 },
    },
    [...times(30, { state: 'answered', sent_at: ago(12 * DAY_MS) })],
  );
  const ofReal = await add(await list('florist in Austin, TX', 12, { sandbox: false }), 'florist in Austin, TX');
  for (const days of [1, 2, 4, 5, 6, 9, 11, 16])
    for (const kind of ['search', 'enrichment', 'compliance'] as const) {
      const when = { sandbox: days % 4 === 0 };
      const calls = times((days * 7) % 11, { state: 'answered', sent_at: ago(days * DAY_MS), ...when });
      const run = { state: 'completed', created_at: ago(days * DAY_MS), totals: {}, ...when } as const;
      await (when.sandbox ? expired : ofReal)(kind, run, calls);
    }
  const leadId = await provenance(db, lists.expired, { search: found, enrichment: down, compliance: earlier });
  await db
    .insertInto('app.budgets')
    .values([
      { user_id: userId, budget: 'month', set_by: 'user', limit_micros: 6_000_000 },
      { user_id: userId, budget: 'month', set_by: 'admin', limit_micros: 25_000_000 },
      { user_id: userId, budget: 'searchbug', set_by: 'user', limit_micros: 3_500_000 },
      { user_id: userId, budget: 'run', set_by: 'admin', limit_micros: 2_000_000 },
    ])
    .execute();
  const runs = { running, queued, down, cancelled: stopped, lost: lostAnswers, stuck: stuckRun, nothing, found, pages };
  return { runs, lists, leadId };
}

const times = (count: number, call: Call): Call[] => Array.from({ length: count }, () => call);

/** How to add runs with their calls to one list, each a while after the one before. */
async function addRunsOf(db: Db, list: { userId: string; listId: string; name: string }) {
  let minutes = 90;
  return async (
    kind: Kind,
    { totals, ...run }: Partial<Insertable<DB['app.runs']>> & { totals: object },
    calls: readonly Call[],
  ): Promise<string> => {
    minutes -= 7;
    const began = run.created_at ? new Date(run.created_at as Date) : ago(minutes * MINUTE_MS);
    const ended = run.state === 'running' || run.state === 'queued' ? null : new Date(began.getTime() + 95_000);
    const lease = run.state === 'running' ? { lease_owner: randomUUID(), lease_expires_at: TOMORROW } : {};
    const money = Math.max(1, calls.length) * PRICE[kind];
    const { id } = await db
      .insertInto('app.runs')
      .values({
        user_id: list.userId,
        list_id: list.listId,
        list_name: list.name,
        kind,
        input: '{"leadIds":null}',
        sandbox: true,
        estimate_micros: money + PRICE[kind] * 2,
        bound_micros: money,
        totals: JSON.stringify(totals),
        // No one takes it for a run that stands still.
        created_at: began,
        started_at: run.state === 'queued' ? null : began,
        finished_at: ended,
        progressed_at: TOMORROW,
        ...lease,
        ...run,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const rows = calls.map((call, index) => ({
      idempotency_key: `${id}:${index}`,
      run_id: id,
      user_id: list.userId,
      sandbox: true,
      attempts: 1,
      provider: PROVIDER[kind],
      operation: OPERATION[kind],
      subject: SUBJECT[kind](index),
      estimate_micros: PRICE[kind],
      cost_micros: call.state === 'planned' || call.state === 'failed' ? 0 : PRICE[kind],
      planned_at: new Date(began.getTime() + index * 400),
      sent_at: call.state === 'planned' ? null : began,
      settled_at: call.state === 'planned' || call.state === 'sent' ? null : began,
      ...call,
    }));
    if (rows.length > 0) await db.insertInto('app.paid_calls').values(rows).execute();
    return id;
  };
}

/** Says of the first lead of a list which calls of these runs brought it. Returns its id. */
async function provenance(db: Db, listId: string, runs: Record<Kind, string>): Promise<string> {
  const callOf = async (run: string) =>
    (await db.selectFrom('app.paid_calls').select('id').where('run_id', '=', run).limit(1).executeTakeFirstOrThrow())
      .id;
  const email = await callOf(runs.enrichment);
  const { id } = await db
    .selectFrom('leads')
    .select('id')
    .where('list_id', '=', listId)
    .where('position', '=', 6)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('leads')
    .set({ place_call_id: await callOf(runs.search), email_call_id: email, owner_call_id: email })
    .set({ compliance_call_id: await callOf(runs.compliance) })
    .set({ email_status: 'accept_all', email_checked_at: new Date(), email_check_call_id: email })
    .where('id', '=', id)
    .execute();
  return id;
}
