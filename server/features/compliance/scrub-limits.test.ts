import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { checkComplianceEndpoint, estimateComplianceEndpoint } from '#contract/work/compliance.ts';
import type { PhoneScrubber } from '#providers/provider.ts';
import { eventually } from '#test/eventually.ts';
import { buildListOf, readRuns } from '#test/lists.ts';
import { type Process, type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let second: Process;
let rateMicros = 20_000;
let inFlight = 0;
let mostInFlight = 0;
/** No answer comes before so many requests were out at once. */
let answersFrom = 0;
let sent: number[] = [];
/** Numbers whose answer is held back until this resolves. */
const held = { prefix: 'none', until: Promise.resolve() };

async function enoughAreOut(): Promise<void> {
  while (mostInFlight < answersFrom) await sleep(5);
  await sleep(150);
}

beforeAll(async () => {
  product = await startProduct();
  second = await product.process();
  // A SearchBug that takes a moment, and whose price is what a test wants it to be.
  const scrubber: PhoneScrubber = {
    testKey: () => Promise.reject(new Error('No one asks.')),
    async scrub(numbers) {
      sent.push(numbers.length);
      inFlight += 1;
      mostInFlight = Math.max(mostInFlight, inFlight);
      await (numbers[0]?.startsWith(held.prefix) ? held.until : enoughAreOut());
      inFlight -= 1;
      const verdicts = new Map(numbers.map((number) => [number, { number, status: 'safe' as const }]));
      return { verdicts, reply: { body: '{}', requestId: null }, rateMicros };
    },
  };
  for (const { deps } of [product, second]) deps.providers.phoneScrubber = () => scrubber;
});

async function userWith(
  count: number,
  prefix: string,
  key = '12345678:shared-key',
): Promise<{ user: TestUser; list_id: string }> {
  const user = await product.user();
  await user.connect('searchbug', key);
  const leads = Array.from({ length: count }, (_, index) => ({
    phone: `+1 ${prefix}-555-01${String(index).padStart(2, '0')}`,
  }));
  return { user, list_id: await buildListOf(product.db, user.id, leads, { sandbox: false }) };
}

test('a price that is not known is learned from one batch alone, and the run stops at its bound', async () => {
  rateMicros = 50_000;
  const { user, list_id } = await userWith(100, '512');
  await expect(user.call(checkComplianceEndpoint, { list_id })).rejects.toMatchObject({ code: 'BOUND_REACHED' });
  const [run] = await readRuns(product.db, user.id);
  expect(run?.bound_micros).toBe(100 * 20_000);
  expect(sent).toEqual([20, 20]);
  const { rows } = await sql<{ cost: number }>`select sum(cost_micros)::bigint as cost from app.ledger_days
    where user_id = ${user.id}`.execute(product.db);
  expect(rows[0]?.cost).toBe(40 * 50_000);
  // From now on the dialog and the bound know it, for everyone with that key.
  expect((await user.call(estimateComplianceEndpoint, { list_id })).boundMicros).toBe(60 * 50_000);
  const other = await userWith(10, '513');
  expect((await other.user.call(estimateComplianceEndpoint, { list_id: other.list_id })).boundMicros).toBe(10 * 50_000);
  // A price from long ago does not count.
  await sql`update app.call_rates set day = day - 30`.execute(product.db);
  expect((await other.user.call(estimateComplianceEndpoint, { list_id: other.list_id })).boundMicros).toBe(10 * 20_000);
});

test('a price that has risen since yesterday costs one batch more than was thought, not three', async () => {
  rateMicros = 20_000;
  const { user, list_id } = await userWith(5, '206', '12345678:risen-key');
  await user.call(checkComplianceEndpoint, { list_id });
  await sql`update app.call_rates set day = day - 1`.execute(product.db);
  [rateMicros, sent] = [60_000, []];
  const other = await userWith(80, '208', '12345678:risen-key');
  const refused = other.user.call(checkComplianceEndpoint, { list_id: other.list_id });
  await expect(refused).rejects.toMatchObject({ code: 'BOUND_REACHED' });
  const [run] = await readRuns(product.db, other.user.id);
  expect(sent.reduce((all, numbers) => all + numbers, 0) * rateMicros).toBeLessThanOrEqual(run?.bound_micros ?? 0);
});

test('three requests of one key are out at a time, in all runs and processes', async () => {
  rateMicros = 20_000;
  [sent, mostInFlight, answersFrom] = [[], 0, 3];
  const people = [await userWith(100, '602'), await userWith(100, '702'), await userWith(100, '503')];
  await Promise.all(people.map(({ user, list_id }) => user.call(checkComplianceEndpoint, { list_id })));
  expect(sent).toHaveLength(15);
  expect(mostInFlight).toBe(3);
  const places = () => product.db.selectFrom('app.calls_in_flight').select('bucket').execute();
  await expect.poll(places).toEqual([]);
  answersFrom = 0;
});

test('a run that waits for room under its bound leaves the places of its key to others', async () => {
  const key = '12345678:room-key';
  const first = await userWith(10, '206', key);
  await first.user.call(checkComplianceEndpoint, { list_id: first.list_id });
  // The first batch stays out, and holds the whole bound with it.
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(held, { prefix: '303', until: promise });
  sent = [];
  const bounded = await userWith(80, '303', key);
  const stopped = bounded.user.call(checkComplianceEndpoint, { list_id: bounded.list_id, max_cost: 0.4 });
  const reached = expect(stopped).rejects.toMatchObject({ code: 'BOUND_REACHED' });
  await eventually(() => expect(sent).toEqual([20]));
  const other = await userWith(60, '404', key);
  await other.user.call(checkComplianceEndpoint, { list_id: other.list_id });
  resolve();
  await reached;
  expect(sent).toEqual([20, 20, 20, 20]);
});

test('the place of a process that has died is free again when its time is over', async () => {
  const id = (holder: number) => `00000000-0000-4000-8000-00000000000${holder}`;
  const take = async (holder: number) => {
    const { rows } = await sql<{ taken: boolean }>`
      select app.take_place('test', ${id(holder)}::uuid, 2, 60000) as taken
    `.execute((holder % 2 ? product : second).deps.db);
    return rows[0]?.taken;
  };
  expect([await take(1), await take(2), await take(3)]).toEqual([true, true, false]);
  const minute = sql<Date>`expires_at - interval '1 minute'`;
  await product.db.updateTable('app.calls_in_flight').set({ expires_at: minute }).where('holder', '=', id(1)).execute();
  expect([await take(3), await take(4)]).toEqual([true, false]);
});
