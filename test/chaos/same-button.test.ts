import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { buildListOf, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { chanceOf, disturbing, FULL } from './harness/chance.ts';
import { pressWithoutLimit } from './harness/press-without-limit.ts';

const PRESSES = FULL ? 1_000 : 30;
/** As many presses as the limits of one person's keys bear. */
const AT_ONCE = 10;
const WITHIN_MS = 10;

let product: Product;
beforeAll(async () => {
  product = await startProduct({ chance: disturbing(30) });
});

test(`two tabs press the same button within ${WITHIN_MS} ms, ${PRESSES} times: one payment each time`, {
  timeout: FULL ? 600_000 : 60_000,
}, async () => {
  const random = chanceOf('same button');
  pressWithoutLimit();
  const other = await product.process();
  const { db, sandbox } = product;
  const people: TestUser[] = [];
  const keyOf = (index: number) => `sandbox-twice-${index}`;
  for (let index = 0; index < AT_ONCE; index += 1) {
    const user = await product.user();
    for (const provider of ['hunter_io', 'searchbug'] as const) await user.connect(provider, keyOf(index));
    people.push(user);
  }

  const pressTwice = async (user: TestUser, press: number) => {
    const [website, phone] = [`https://twice${press}.example/`, '+1 512-555-0123'];
    const kind = random.chance(0.8) ? 'domain' : 'number';
    const listId = await buildListOf(db, user.id, [kind === 'domain' ? { website } : { phone }]);
    const tabs = [product.as(user), other.as(user)];
    const pauses = [0, random.below(WITHIN_MS)];
    const answers = await Promise.all(
      tabs.map(async (tab, index) => {
        await sleep(pauses[index]);
        if (kind === 'domain') return tab.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] });
        return tab.call(checkComplianceEndpoint, { list_id: listId });
      }),
    );
    return { kind, answers };
  };

  let numbers = 0;
  for (let press = 0; press < PRESSES; press += AT_ONCE) {
    const pressed = await Promise.all(people.map((user, index) => pressTwice(user, press + index)));
    numbers += pressed.filter(({ kind }) => kind === 'number').length;
  }

  for (const [index, user] of people.entries()) {
    const domains = sandbox.meter.callsBySubject('hunter', keyOf(index));
    expect([...domains.values()].filter((times) => times !== 1)).toEqual([]);
    // The same number each time: paid for once, and known from then on.
    const scrubs = sandbox.meter.callsBySubject('searchbug', keyOf(index));
    expect([...scrubs.values()].filter((times) => times !== 1)).toEqual([]);
    expect((await readRuns(db, user.id)).every((run) => run.state === 'completed')).toBe(true);
    const charged = sandbox.meter.rows().filter((row) => row.key === keyOf(index));
    const booked = await db
      .selectFrom('app.ledger_days')
      .select((eb) => eb.fn.sum<string>('cost_micros').as('micros'))
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    expect(Number(booked.micros)).toBe(charged.reduce((sum, row) => sum + row.micros, 0));
  }
  const { calls } = sandbox.meter.totals('hunter');
  expect(calls).toBe(PRESSES - numbers);
});
