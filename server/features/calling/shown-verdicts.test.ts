import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { addressOf } from '#contract/address.ts';
import {
  leadCallabilityEndpoint,
  leadVerdictsEndpoint,
  listCallabilityEndpoint,
} from '#contract/calling/callability.ts';
import { callSheetEndpoint } from '#contract/calling/calls.ts';
import { type PackQuestion, packEvidenceEndpoint } from '#contract/calling/evidence.ts';
import { addSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import { exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import { listLeadsEndpoint } from '#contract/work/leads-of-list.ts';
import { AGAIN_MS } from '#server/evidence/shown-before.ts';
import { verifyPack } from '#server/evidence/verifier/verify.mjs';
import { setCallClock, tuesdayAt } from '#test/call-clock.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { buildRandomCalls } from '#test/random-calls.ts';
import { folderForFile } from '#test/runner/after-file.ts';

const NOON = tuesdayAt(18);
const at = NOON.toISOString();
const ADDRESS = '12 Main Street, Springfield, IL 62701, USA';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  await setCallClock(product.db, NOON);
});
afterEach(() => vi.useRealTimers());

let made = 0;
const nextPhone = () => `+1 217-555-${String(100 + (made++ % 100)).padStart(4, '0')}`;
const checked = (phone: string) => ({
  phone,
  address: ADDRESS,
  phone_type: 'landline',
  compliance_status: 'safe',
  compliance_checked_at: new Date(),
});

/** Two leads that may be called at noon, one that was never checked, and one without a number. */
async function build(user: TestUser) {
  const phones = [nextPhone(), nextPhone(), nextPhone()];
  const [first = '', second = '', third = ''] = phones;
  const rows = [checked(first), checked(second), { phone: third, address: ADDRESS }, { address: ADDRESS }];
  const listId = await buildListOf(product.db, user.id, rows, { sandbox: false });
  const ids = (await readLeads(product.db, listId)).map(({ id }) => id);
  return { listId, ids, phones };
}

type Said = { verdict: string; opensAt: string | null; reasons: { code: string }[]; leads: string[] };
type Shown = { view: string; at: string; said: Said[]; rulesSha256: string; sandbox: boolean };
async function entriesOf<Facts = Shown>(user: TestUser, kind = 'verdict.shown') {
  const { rows } = await sql<{ list: string; facts: Facts; parts: number; text: string }>`
    select list_id as list, facts, facts::text as text,
      (select count(*)::integer from app.evidence_parts as part where part.ticket = entry.ticket) as parts
    from app.evidence as entry where kind = ${kind} and actor_id = ${user.id} order by position
  `.execute(product.db);
  return rows;
}
const leadsOf = ({ facts }: { facts: Shown }, verdict: string) =>
  facts.said.filter((one) => one.verdict === verdict).flatMap(({ leads }) => leads);
const send = async (user: TestUser, path: string, body: object) =>
  product.request(path, {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const later = (ms: number) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + ms);
};

test('what the column of a list shows is evidence, with whom and what, and without a number in the open', async () => {
  const user = await product.user();
  const { listId, ids, phones } = await build(user);
  const { leads } = await user.call(leadVerdictsEndpoint, undefined, { listId, ids: ids.join(), at });
  const [entry, ...more] = await entriesOf(user);
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ list: listId, parts: 3, facts: { view: 'column', at, sandbox: false } });
  const table = ['rules', 'holidays'].map((name) => JSON.parse(readFileSync(`calling/rules/${name}.json`, 'utf8')));
  expect(entry?.facts.rulesSha256).toBe(createHash('sha256').update(JSON.stringify(table)).digest('hex'));
  for (const { id, verdict } of leads) expect(entry && leadsOf(entry, verdict)).toContain(id);
  expect(entry?.facts.said.flatMap((said) => said.leads).toSorted()).toEqual(ids.toSorted());
  const digits = phones.map((phone) => phone.slice(-8));
  expect(digits.some((some) => entry?.text.includes(some))).toBe(false);
});

test('the same answer about another moment is evidence of its own', async () => {
  const user = await product.user();
  const { ids } = await build(user);
  const id = ids[0] ?? '';
  const hour = (hours: number) => new Date(Date.parse(at) + hours * 3_600_000).toISOString();
  for (const moment of [hour(0), hour(0), hour(1), hour(2)])
    await user.call(leadCallabilityEndpoint, undefined, { id, at: moment });
  expect((await entriesOf(user)).map(({ facts }) => facts.at)).toEqual([hour(0), hour(1), hour(2)]);
});

test('a panel, a page in the order of calls, one by their filter and a call sheet are evidence as well', async () => {
  const views: [string, (user: TestUser, list: Awaited<ReturnType<typeof build>>) => Promise<unknown>][] = [
    ['lead', (user, { ids }) => user.call(leadCallabilityEndpoint, undefined, { id: ids[0] ?? '' })],
    ['page', (user, { listId }) => user.call(listLeadsEndpoint, undefined, { listId, sort: 'call.asc' })],
    ['page', (user, { listId }) => user.call(listLeadsEndpoint, undefined, { listId, call: 'unknown' })],
    ['sheet', (user, { listId }) => user.call(callSheetEndpoint, { session: randomUUID() }, { listId })],
  ];
  const held = [1, 4, 2, 1];
  for (const [index, [view, look]] of views.entries()) {
    const user = await product.user();
    const list = await build(user);
    await look(user, list);
    const entries = await entriesOf(user);
    expect(entries, view).toHaveLength(1);
    expect(entries[0], view).toMatchObject({ list: list.listId, facts: { view } });
    expect(entries[0]?.facts.said.flatMap(({ leads }) => leads)).toHaveLength(held[index] ?? 0);
  }
  const user = await product.user();
  const { listId } = await build(user);
  await user.call(listLeadsEndpoint, undefined, { listId });
  expect(await entriesOf(user), 'a page without verdicts').toEqual([]);
});

test('the same is not recorded again for a while, what changed is at once, and for each person', async () => {
  const user = await product.user();
  const { listId, ids, phones } = await build(user);
  const look = (some = ids) => user.call(leadVerdictsEndpoint, undefined, { listId, ids: some.join(), at });
  await look();
  await look();
  await look(ids.slice(1));
  expect(await entriesOf(user)).toHaveLength(1);
  await user.call(addSuppressionEndpoint, { kind: 'phone', value: phones[0] ?? '' });
  await look();
  const changed = (await entriesOf(user))[1];
  expect(changed && leadsOf(changed, 'blocked')).toEqual([ids[0]]);
  expect(changed?.facts.said).toHaveLength(1);
  later(AGAIN_MS - 10_000);
  await look();
  expect(await entriesOf(user)).toHaveLength(2);
  later(20_000);
  await look();
  expect((await entriesOf(user))[2]?.facts.said.flatMap(({ leads }) => leads)).toHaveLength(4);
});

test('counts of a list are evidence once in a while, and by themselves for a later moment', async () => {
  const user = await product.user();
  const { listId } = await build(user);
  const count = (more = {}) => user.call(listCallabilityEndpoint, undefined, { listId, ...more });
  await count();
  await count();
  const said = await count({ at });
  await count({ at });
  const entries = await entriesOf<{ at: string; counts: object; opening: object[] }>(user, 'verdict.counted');
  expect(entries).toHaveLength(2);
  expect(entries[1]).toMatchObject({
    list: listId,
    parts: 0,
    facts: { at, counts: said.counts, opening: said.opening },
  });
  expect(said.counts).toMatchObject({ callable: 2, unknown: 2 });
});

test('counts are recorded whole where a cap on calls lets each number open at a moment of its own', async () => {
  const user = await product.user();
  const rows = Array.from({ length: 400 }, (_, n) => ({
    ...checked(`+1 305-555-${String(n).padStart(4, '0')}`),
    address: '12 Main Street, Miami, FL 33101, USA',
  }));
  const listId = await buildListOf(product.db, user.id, rows, { sandbox: false });
  await sql`
    insert into app.calls (id, user_id, phone, verdict, called_at, sandbox)
    select gen_random_uuid(), ${user.id}, substr(contact_keys[1], 7), 'callable',
      ${NOON}::timestamptz - interval '2 hours' - position * interval '1 second' - attempt * interval '1 minute', false
    from public.leads, generate_series(1, 3) as attempt where list_id = ${listId}
  `.execute(product.db);
  const said = await user.call(listCallabilityEndpoint, undefined, { listId, at });
  expect(said.opening).toHaveLength(400);
  const entries = await entriesOf<{ counts: object; opening: object[] }>(user, 'verdict.counted');
  expect(entries.flatMap(({ facts }) => facts.opening)).toEqual(said.opening);
  expect(entries.map(({ facts }) => facts.counts)).toEqual(entries.map(() => said.counts));
});

test('an export with times of calls leaves the verdict of each lead in the evidence', async () => {
  const user = await product.user();
  const { listId, phones } = await build(user);
  const exported = await send(user, addressOf(exportLeadsEndpoint.path, { listId }), {
    filter: 'all',
    compliance: 'all_leads',
    call_times: true,
  });
  // By the hour of the day in Illinois.
  const open = (await exported.text()).includes('callable') ? 'callable' : 'not_now';
  const [entry] = await entriesOf<{ calls: Record<string, number> }>(user, 'export.leads');
  expect(entry?.facts.calls).toEqual({ [open]: 2, unknown: 2 });
  const pack = await (await send(user, packEvidenceEndpoint.path, { phone: phones[0] })).text();
  expect(pack).toContain(String.raw`\"call\":{\"status\":\"${open}\"`);
});

test('a pack of one number holds when its verdict was shown, and verifies', async () => {
  const user = await product.user();
  const { listId, ids, phones } = await build(user);
  await user.call(leadVerdictsEndpoint, undefined, { listId, ids: ids.join(), at });
  const question: PackQuestion = { phone: phones[1] ?? '' };
  const response = await send(user, packEvidenceEndpoint.path, question);
  const bytes = Buffer.from(await response.arrayBuffer());
  const file = join(folderForFile(), 'pack.zip');
  writeFileSync(file, bytes);
  expect(await verifyPack(file)).toMatchObject({ ok: true, entries: 1 });
  const text = bytes.toString('utf8');
  expect(text).toContain('"kind":"verdict.shown"');
  expect(text).toContain('Verdicts shown');
  expect(text).toContain((phones[1] ?? '').replace(/[^+\d]/g, ''));
  expect(text).not.toContain((phones[0] ?? '').replace(/[^+\d]/g, ''));
});

test('nothing is shown that cannot be recorded', async () => {
  const user = await product.user();
  const { listId, ids } = await build(user);
  const look = () => user.call(leadVerdictsEndpoint, undefined, { listId, ids: ids.join(), at });
  await sql`alter function app.append_evidence(jsonb) rename to append_evidence_away`.execute(product.db);
  try {
    await expect(look()).rejects.toMatchObject({ status: 500 });
  } finally {
    await sql`alter function app.append_evidence_away(jsonb) rename to append_evidence`.execute(product.db);
  }
  expect((await look()).leads).toHaveLength(4);
  expect(await entriesOf(user)).toHaveLength(1);
});

test('a long page of leads with many different verdicts is recorded whole', async () => {
  const user = await product.user();
  const listId = await buildRandomCalls(product.db, user.id, 500);
  const { leads } = await user.call(listLeadsEndpoint, undefined, { listId, sort: 'call.asc', limit: '500' });
  const entries = await entriesOf(user);
  expect(entries.length).toBeGreaterThan(1);
  const recorded = entries.flatMap(({ facts }) => facts.said.flatMap((said) => said.leads));
  expect(recorded.toSorted()).toEqual(leads.map(({ id }) => id).toSorted());
  expect(recorded).toHaveLength(500);
});
