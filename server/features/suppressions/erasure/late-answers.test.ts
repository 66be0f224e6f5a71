import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import type { Tx } from '#db/connection/tx.ts';
import { recordShownVerdicts } from '#server/evidence/record-shown-verdicts.ts';
import { adoptCalls } from '#server/paid-calls/ledger/adopt-calls.ts';
import { endingCalls } from '#server/paid-calls/ledger/end-calls.ts';
import { countLockWaits } from '#test/databases/count-lock-waits.ts';
import { columnsWith } from '#test/databases/find-text.ts';
import { eventually } from '#test/eventually.ts';
import { buildListOf, readCalls, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let admin: TestUser;
beforeAll(async () => {
  product = await startProduct();
  admin = await product.admin();
});

const erase = (kind: 'phone' | 'email' | 'business', value: string) =>
  admin.call(eraseContactEndpoint, { kind, value });

const mentions = (pattern: RegExp) => columnsWith(product.db, (text) => pattern.test(text));

const DEAD = '00000000-0000-4000-8000-00000000000d';
type About = { provider: string; operation: string; subject: string };

/** A call that a process has out: `settle` books its answer, as that process does when it comes. */
async function callOut(user: TestUser, { provider, operation, subject }: About) {
  const { rows: runs } = await sql<{ id: string }>`
    insert into app.runs (user_id, list_name, kind, input, sandbox, state, started_at, bound_micros, lease_owner, lease_expires_at)
    values (${user.id}, 'Out', 'enrichment', '{}', true, 'running', now(), 1000000, ${DEAD}, now() + interval '1 hour') returning id
  `.execute(product.db);
  const runId = runs[0]?.id ?? '';
  const { rows } = await sql<{ calls: { id: string }[] }>`
    select calls from app.plan_calls(${runId}::uuid, ${DEAD}::uuid, ${provider}, ${operation}, 'repeat', 25000, array[${subject}], array[0])
  `.execute(product.db);
  const id = rows[0]?.calls[0]?.id ?? '';
  await sql`select app.book_sent(${runId}::uuid, ${DEAD}::uuid, array[${id}]::uuid[], null)`.execute(product.db);
  const settle = async (db: Product['db'] | Tx, answer: object) => {
    const given = [{ id, subject, cost: 25_000, answer, answered_at: new Date(), expires_at: null }];
    await sql`
      select app.book_answers(${runId}::uuid, ${provider}, ${operation}, 'bucket', 30, ${JSON.stringify(given)}::jsonb)
    `.execute(db);
  };
  return { runId, id, settle };
}

const callOf = (id: string) =>
  product.db.selectFrom('app.paid_calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const VERIFY = { provider: 'hunter_io', operation: 'email_verify' };
const ERASED = expect.stringMatching(/^erased [\da-f]{16}$/);

test('the answer about an email or a number that was erased meanwhile is booked, and nothing of it is kept', async () => {
  const user = await product.user();
  const calls = [
    { about: { ...VERIFY, subject: 'late.one@late.example' }, answer: { status: 'valid' } },
    {
      about: { provider: 'searchbug', operation: 'phone_scrub', subject: '3035550191' },
      answer: { number: '3035550191', status: 'safe' },
    },
  ];
  const out = await Promise.all(calls.map(async (one) => ({ ...one, ...(await callOut(user, one.about)) })));
  await erase('email', 'late.one@late.example');
  await erase('phone', '303 555 0191');
  for (const { settle, answer } of out) await settle(product.db, answer);
  for (const { id } of out) {
    const { subject, state, cost_micros, idempotency_key } = await callOf(id);
    expect([subject, state, cost_micros]).toEqual([ERASED, 'answered', 25_000]);
    expect(idempotency_key).toBe(`erased ${id}`);
  }
  expect(await mentions(/late\.one@|303\D{0,2}555\D?0191/i)).toEqual([]);
});

test('an answer that names an erased contact among others is kept without it', async () => {
  const user = await product.user();
  const search = await callOut(user, { provider: 'hunter_io', operation: 'domain_search', subject: 'late.example' });
  const page = await callOut(user, { provider: 'google_places', operation: 'search_page', subject: 'roofers, page 1' });
  await erase('email', 'late.two@late.example');
  await erase('phone', '303 555 0192');
  await erase('business', 'ChIJinvented_late');
  const contact = (local: string) => ({ email: `${local}@late.example`, type: 'personal', confidence: 90 });
  await search.settle(product.db, { contacts: [contact('late.two'), contact('stays')] });
  const place = (id: string, phone: string) => ({ id, name: id, phone, serviceArea: false, closedPermanently: false });
  const places = [
    place('ChIJinvented_late', '303 555 0101'),
    place('a', '+1 303-555-0192'),
    place('b', '303 555 0102'),
  ];
  await page.settle(product.db, { places });
  const answers = await product.db.selectFrom('app.answers').selectAll().where('user_id', '=', user.id).execute();
  expect(answers.map(({ subject, answer }) => [subject, answer])).toEqual(
    expect.arrayContaining([
      ['late.example', { contacts: [contact('stays')] }],
      ['roofers, page 1', { places: [place('b', '303 555 0102')] }],
    ]),
  );
});

test('an answer that is being stored while its contact is erased leaves nothing, in either order', async () => {
  const user = await product.user();
  const first = await callOut(user, { ...VERIFY, subject: 'late.three@late.example' });
  let erasing: Promise<unknown> = Promise.resolve();
  await product.db.transaction().execute(async (tx) => {
    await first.settle(tx, { status: 'valid' });
    erasing = erase('email', 'late.three@late.example');
    await eventually(async () => expect(await countLockWaits(product.db)).toBeGreaterThanOrEqual(1));
  });
  await erasing;
  expect(await callOf(first.id)).toMatchObject({ subject: ERASED, cost_micros: 25_000 });

  const second = await callOut(user, { ...VERIFY, subject: 'late.four@late.example' });
  let settling: Promise<unknown> = Promise.resolve();
  await product.db.transaction().execute(async (tx) => {
    await sql`select from public.leads limit 1 for update`.execute(tx);
    await sql`lock table app.paid_calls in share mode`.execute(tx);
    erasing = erase('email', 'late.four@late.example');
    settling = second.settle(product.db, { status: 'valid' });
    await eventually(async () => expect(await countLockWaits(product.db)).toBeGreaterThanOrEqual(1));
  });
  await Promise.all([erasing, settling]);
  expect(await callOf(second.id)).toMatchObject({ subject: ERASED, cost_micros: 25_000 });
  expect(await mentions(/late\.(three|four)@/i)).toEqual([]);
});

test('a call that a dead process left out is about a hash once its run has ended', async () => {
  const user = await product.user();
  const { runId, id } = await callOut(user, { ...VERIFY, subject: 'late.five@late.example' });
  await erase('email', 'late.five@late.example');
  await product.db.transaction().execute(async (tx) => {
    await adoptCalls(tx, runId);
    await tx
      .updateTable('app.runs')
      .set({ state: 'completed', finished_at: sql`now()` })
      .where('id', '=', runId)
      .execute();
    await endingCalls(runId).execute(tx);
  });
  expect(await callOf(id)).toMatchObject({ state: 'uncertain', subject: ERASED, cost_micros: 25_000 });
  expect(await mentions(/late\.five@/i)).toEqual([]);
});

test('a call names its subject by no plain hash, also when a server of the version before has planned it', async () => {
  const user = await product.user();
  const subject = 'late.six@late.example';
  const { id, settle } = await callOut(user, { ...VERIFY, subject });
  const { idempotency_key: key } = await callOf(id);
  expect(key).toMatch(/:[\da-f]{64}$/);
  for (const algorithm of ['md5', 'sha1', 'sha256'])
    expect(key).not.toContain(createHash(algorithm).update(subject).digest('hex'));
  // One that was out when the keys changed.
  await sql`update app.paid_calls set idempotency_key = run_id || ':email_verify:0:' || md5(subject) where id = ${id}`.execute(
    product.db,
  );
  await settle(product.db, { status: 'valid' });
  expect(await callOf(id)).toMatchObject({ state: 'answered', subject });
  await erase('email', subject);
  expect((await callOf(id)).idempotency_key).toBe(`erased ${id}`);
});

test('a check and a verification whose answers come after the erasure pay once, and the evidence holds no number', async () => {
  const user = await product.user();
  await user.connect('searchbug', 'sandbox-late-scrub');
  await user.connect('hunter_io', 'sandbox-late-verify');
  const contact = { phone: '303 555 0195', email: 'late.seven@late.example' };
  const listId = await buildListOf(product.db, user.id, [{ business_name: 'Late', ...contact }]);
  const other = await buildListOf(product.db, user.id, [{ business_name: 'Late', ...contact }]);
  const { providers } = product.workerDeps;
  const { emailFinder, phoneScrubber } = providers;
  const erased = Promise.withResolvers<void>();
  let asked = 0;
  const both = Promise.withResolvers<void>();
  const wait = async () => {
    asked += 1;
    if (asked === 2) both.resolve();
    await erased.promise;
  };
  providers.emailFinder = (key) => ({
    ...emailFinder(key),
    async verifyEmail(email, options) {
      const answer = await emailFinder(key).verifyEmail(email, options);
      await wait();
      return answer;
    },
  });
  providers.phoneScrubber = (key) => ({
    ...phoneScrubber(key),
    async scrub(...about: Parameters<ReturnType<typeof phoneScrubber>['scrub']>) {
      const answer = await phoneScrubber(key).scrub(...about);
      await wait();
      return answer;
    },
  });
  const work = Promise.allSettled([
    user.call(enrichEmailsEndpoint, { list_id: other, steps: ['verifier'] }),
    user.call(checkComplianceEndpoint, { list_id: listId }),
  ]);
  await both.promise;
  await erase('email', contact.email);
  await erase('phone', contact.phone);
  erased.resolve();
  await work;
  Object.assign(providers, { emailFinder, phoneScrubber });
  const calls = await readCalls(product.db, user.id);
  expect(calls.map(({ state, subject }) => [state, subject])).toEqual([
    ['answered', ERASED],
    ['answered', ERASED],
  ]);
  expect(calls.every(({ cost_micros }) => cost_micros > 0)).toBe(true);
  expect(await mentions(/late\.seven@|303\D{0,2}555\D?0195/i)).toEqual([]);
  const { rows } = await sql<{ sealed: number }>`
    select count(*)::integer as sealed from app.evidence_parts where sealed is not null
  `.execute(product.db);
  expect(rows[0]?.sealed).toBe(0);
});

test('a verdict on a number that was erased while it was read leaves the number out of the evidence', async () => {
  const user = await product.user();
  const list = await buildListOf(product.db, user.id, [{ business_name: 'Late' }]);
  const [lead] = await readLeads(product.db, list);
  await erase('phone', '303 555 0196');
  const about = { actor: user.id, list, view: 'lead', sandbox: true, at: Date.now() } as const;
  const shown = { lead: lead?.id ?? '', number: '+13035550196', verdict: 'unknown', reasons: [] } as const;
  await recordShownVerdicts(product.deps, about, [shown]);
  const { rows } = await sql`
    select kind, sealed is null as erased from app.evidence left join app.evidence_parts using (ticket)
    where list_id = ${list} order by position
  `.execute(product.db);
  expect(rows).toEqual([{ kind: 'verdict.shown', erased: true }]);
});
