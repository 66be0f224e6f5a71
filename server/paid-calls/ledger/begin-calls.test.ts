import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { domainSearchOperation } from '#server/features/enrichment/domain-search-operation.ts';
import { finishRun } from '#server/runs/finish-run.ts';
import { claimNextRun } from '#server/runs/run-lease.ts';
import { kinds } from '#server/wiring/run-kinds.ts';
import { countLockWaits } from '#test/databases/count-lock-waits.ts';
import { buildHeldRun } from '#test/held-run.ts';
import { readCalls } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';
import { beginning } from './begin-calls.ts';
import { costOfRun } from './cost-of-run.ts';

const OWNER = '00000000-0000-4000-8000-00000000000a';
const NEXT = '00000000-0000-4000-8000-00000000000b';
const SUBJECT = 'known.example';
const PRICE = domainSearchOperation.estimateMicros;
const bought = { answer: { contacts: [] }, costMicros: 0, rememberMs: 'for good' as const, answeredAt: new Date() };

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});

/** A run whose key has sent something before, so that the next call finds its spacing. */
async function buildPacedRun(boundMicros = 10 * PRICE) {
  const held = await buildHeldRun({ product, owner: OWNER, boundMicros });
  await held.steps.takeDeparture();
  const bucket = `hunter_io:${held.runId}`;
  const calls = async () =>
    (await readCalls(product.db, held.user.id)).map(({ subject, state }) => `${subject} ${state}`).sort();
  return { ...held, bucket, calls };
}
const departuresOf = async (bucket: string) =>
  (
    await product.db
      .selectFrom('app.call_spacing')
      .select('recent')
      .where('bucket', '=', bucket)
      .executeTakeFirstOrThrow()
  ).recent.length;
const ask = (...subjects: string[]) => ({ subjects, round: 0, request: randomUUID() });

test('a call for what is known by then is taken back, and who waits for it is told', async () => {
  const { user, steps } = await buildPacedRun();
  const first = await steps.begin(ask(SUBJECT));
  expect(first.sent).toBeDefined();
  await steps.settle({ settled: first.calls.map((call) => ({ ...call, ...bought })) });

  const told: string[] = [];
  const forget = product.workerDeps.notifications.on('call_settled', (id) => told.push(id));
  const again = await steps.begin({ ...ask(SUBJECT), round: 1 });
  expect(again).toMatchObject({ calls: [], others: [] });
  expect(again.sent).toBeUndefined();
  expect(again.outcomes.get(SUBJECT)).toMatchObject({ state: 'answered', known: false, answeredAt: bought.answeredAt });
  expect((await readCalls(product.db, user.id)).map(({ state }) => state)).toEqual(['answered']);
  await expect.poll(() => told.filter((id) => id !== first.calls[0]?.id)).toHaveLength(1);
  forget();
});

test('the calls of one request that may leave at once are written once, as sent', async () => {
  const { runId, user, bucket, calls } = await buildPacedRun();
  const run = { id: runId, userId: user.id, sandbox: true, input: {}, totals: {} };
  const holder = { run, owner: OWNER, key: { apiKey: '', fingerprint: runId, sandbox: true } };
  await product.workerDeps.db.transaction().execute(async (tx) => {
    const countWrites = async () => {
      const { rows } = await sql<{ inserted: number; updated: number }>`
        select n_tup_ins as inserted, n_tup_upd as updated from pg_stat_xact_user_tables
        where schemaname = 'app' and relname = 'paid_calls'`.execute(tx);
      return rows[0] ?? { inserted: 0, updated: 0 };
    };
    // Of this connection, since it last told of them.
    const before = await countWrites();
    await beginning(holder, domainSearchOperation, [ask('a', 'b')], { durable: false }).execute(tx);
    expect(await countWrites()).toEqual({ inserted: before.inserted + 2, updated: before.updated });
  });
  expect(await calls()).toEqual(['a sent', 'b sent']);
  expect(await costOfRun(product.db, runId)).toBe(2 * PRICE);
  expect(await departuresOf(bucket)).toBe(2);
});

test('requests that begin together leave together, each with its own departure', async () => {
  const { user, bucket, steps } = await buildPacedRun();
  const wanted = [ask('a', 'b'), ask('c'), ask('d')];
  const plans = await Promise.all(wanted.map((one) => steps.begin(one)));
  expect(plans.map(({ sent }) => sent)).toEqual(wanted.map(({ request }) => request));
  expect(plans.map(({ calls }) => calls.map(({ subject }) => subject))).toEqual([['a', 'b'], ['c'], ['d']]);
  const batches = (await readCalls(product.db, user.id)).map(({ subject, batch_id }) => [subject, batch_id] as const);
  expect(new Map(batches)).toEqual(
    new Map(wanted.flatMap(({ subjects, request }) => subjects.map((one) => [one, request]))),
  );
  expect(await departuresOf(bucket)).toBe(4);
});

test('where only some of them may leave now, the first ones do, and the others take one step after the other', async () => {
  const { bucket, steps, calls } = await buildPacedRun();
  for (let taken = 1; taken < 8; taken += 1) await steps.takeDeparture();
  const plans = await Promise.all(['a', 'b', 'c'].map((subject) => steps.begin(ask(subject))));
  expect(plans.map(({ sent }) => sent !== undefined)).toEqual([true, true, false]);
  expect(await calls()).toEqual(['a sent', 'b sent', 'c planned']);
  expect(await departuresOf(bucket)).toBe(10);
});

test('a call for what another run plans in the same moment is not sent, and takes no departure', async () => {
  const { user, bucket, steps } = await buildPacedRun();
  const begun = await product.db.transaction().execute(async (tx) => {
    await sql`
      with other as (
        insert into app.runs (user_id, list_name, kind, state, input, sandbox) values (${user.id}, 'Other', 'place', 'queued', '{}', true)
        returning id, user_id
      )
      insert into app.paid_calls (idempotency_key, run_id, user_id, provider, operation, subject, estimate_micros, sandbox)
      select 'raced', id, user_id, 'hunter_io', 'domain_search', 'raced.example', 0, true from other`.execute(tx);
    const beginning = steps.begin(ask('free.example', 'raced.example'));
    await expect.poll(() => countLockWaits(product.db)).toBe(1);
    return { beginning };
  });
  const plan = await begun.beginning;
  expect(plan).toMatchObject({ calls: [{ subject: 'free.example' }], others: [{ subject: 'raced.example' }] });
  expect(plan.sent).toBeUndefined();
  expect(await departuresOf(bucket)).toBe(1);
});

test('requests that may leave at once are booked as sent, each with its own calls, as far as the bound has room', async () => {
  const { user, runId, steps } = await buildPacedRun(3 * PRICE);
  const wanted = [ask('a', 'b'), ask('b'), ask('c', 'd'), ask('e')];
  const plans = await Promise.all(wanted.map((one) => steps.begin(one)));
  const gone = plans.map(({ sent, calls }) => (sent ? calls.map(({ subject }) => subject) : []));
  expect(gone).toEqual([['a', 'b'], [], ['c'], []]);
  expect(plans.map(({ sent }) => sent)).toEqual([wanted[0]?.request, undefined, wanted[2]?.request, undefined]);
  // Another request of this run has it out.
  expect(plans[1]).toMatchObject({ calls: [], others: [{ subject: 'b' }] });
  expect(await costOfRun(product.db, runId)).toBe(3 * PRICE);
  const batches = (await readCalls(product.db, user.id)).map(({ subject, batch_id }) => [subject, batch_id] as const);
  expect(new Map(batches).get('b')).toBe(wanted[0]?.request);
  expect(new Map(batches).get('e')).toBeNull();
});

test.each<[string, (held: Awaited<ReturnType<typeof buildPacedRun>>) => Promise<unknown>]>([
  [
    'the provider is silent',
    ({ bucket }) =>
      sql`insert into app.provider_circuits (bucket, failures, failed_at) values (${bucket}, 1, now())`.execute(
        product.db,
      ),
  ],
  [
    'its run is canceled',
    ({ runId }) => sql`update app.runs set cancel_requested_at = now() where id = ${runId}`.execute(product.db),
  ],
  [
    'the bound has no room',
    ({ runId }) => sql`update app.runs set bound_micros = 0 where id = ${runId}`.execute(product.db),
  ],
  [
    'the lease has run out',
    ({ runId }) => sql`update app.runs set lease_expires_at = now() where id = ${runId}`.execute(product.db),
  ],
  ['the key has no departure yet', ({ steps }) => Promise.all(Array.from({ length: 10 }, () => steps.takeDeparture()))],
  [
    'the key has never sent anything',
    ({ bucket }) => sql`delete from app.call_spacing where bucket = ${bucket}`.execute(product.db),
  ],
])('while %s, a call is planned and nothing is booked', async (_, arrange) => {
  const held = await buildPacedRun();
  await arrange(held);
  const plan = await held.steps.begin(ask('later.example'));
  expect(plan.sent).toBeUndefined();
  expect(plan.calls).toMatchObject([{ subject: 'later.example' }]);
  expect(await held.calls()).toEqual(['later.example planned']);
  expect(await costOfRun(product.db, held.runId)).toBe(0);
});

test('who is at the departures of a key is not waited for, and nothing is taken from them', async () => {
  const { bucket, steps, calls } = await buildPacedRun();
  await product.db.transaction().execute(async (tx) => {
    await sql`select from app.call_spacing where bucket = ${bucket} for update`.execute(tx);
    expect((await steps.begin(ask('patient.example'))).sent).toBeUndefined();
  });
  expect(await calls()).toEqual(['patient.example planned']);
});

test('a request that is repeated because its commit got lost finds its calls sent, and no other request does', async () => {
  const { runId, user, steps, calls } = await buildPacedRun();
  const lost = ask('lost.example');
  const run = { id: runId, userId: user.id, sandbox: true, input: {}, totals: {} };
  const key = { apiKey: '', fingerprint: runId, sandbox: true };
  const holder = { run, owner: OWNER, key };
  await beginning(holder, domainSearchOperation, [lost], { durable: false }).execute(product.workerDeps.db);
  expect(await steps.begin(lost)).toMatchObject({
    sent: lost.request,
    calls: [{ subject: 'lost.example' }],
    others: [],
  });
  expect(await steps.begin(ask('lost.example'))).toMatchObject({ calls: [], others: [{ subject: 'lost.example' }] });
  expect(await calls()).toEqual(['lost.example sent']);
  expect(await costOfRun(product.db, runId)).toBe(PRICE);
});

test('a process that dies behind a call that began leaves it to be sorted out, as any that was sent', async () => {
  const { runId, steps, calls } = await buildPacedRun();
  await steps.begin(ask('died.example'));
  await sql`update app.runs set lease_expires_at = now() - interval '1 s' where id = ${runId}`.execute(product.db);
  await sql`update app.runs set state = 'completed', finished_at = now() where id <> ${runId}`.execute(product.db);
  expect(await claimNextRun(product.workerDeps.db, NEXT)).toMatchObject({ id: runId });
  // Hunter does not charge twice: it may be sent again, and stays booked.
  expect(await calls()).toEqual(['died.example planned']);
  expect(await costOfRun(product.db, runId)).toBe(PRICE);
  await finishRun(product.deps, kinds, { id: runId }, { end: 'cancelled' });
});

test('an answer and the call that it leads to are settled and begun in one transaction, or neither is', async () => {
  const { runId, steps, calls } = await buildPacedRun();
  const first = await steps.begin(ask('first.example'));
  const settled = first.calls.map((call) => ({ ...call, ...bought }));
  const taken: unknown[] = [];
  const next = (wanted: ReturnType<typeof ask>) => ({
    operation: domainSearchOperation,
    wanted,
    take: (plan: unknown) => taken.push(plan),
  });
  await sql`
    create function public.refuse() returns trigger language plpgsql as $$begin raise exception 'refused'; end$$`.execute(
    product.db,
  );
  await sql`create trigger refuse before insert on app.answers for each row execute function public.refuse()`.execute(
    product.db,
  );
  await expect(steps.settle({ settled, next: [next(ask('second.example'))] })).rejects.toThrow('refused');
  expect(await calls()).toEqual(['first.example sent']);
  await sql`drop function public.refuse cascade`.execute(product.db);

  const wanted = ask('second.example');
  // As often as it is repeated.
  for (let times = 1; times <= 2; times += 1) await steps.settle({ settled, next: [next(wanted)] });
  expect(taken).toMatchObject(Array(2).fill({ sent: wanted.request, calls: [{ subject: 'second.example' }] }));
  expect(await calls()).toEqual(['first.example answered', 'second.example sent']);
  expect(await costOfRun(product.db, runId)).toBe(PRICE);
});

test('a run that is canceled or lost has its answer settled, and begins nothing behind it', async () => {
  for (const end of [sql`cancel_requested_at = now()`, sql`lease_owner = ${NEXT}`]) {
    const { runId, steps, calls } = await buildPacedRun();
    const first = await steps.begin(ask('first.example'));
    await sql`update app.runs set ${end} where id = ${runId}`.execute(product.db);
    const settled = first.calls.map((call) => ({ ...call, ...bought }));
    const never = () => expect.unreachable();
    await steps.settle({
      settled,
      next: [{ operation: domainSearchOperation, wanted: ask('second.example'), take: never }],
    });
    expect(await calls()).toEqual(['first.example answered']);
  }
});
