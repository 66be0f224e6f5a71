import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { logCallEndpoint } from '#contract/calling/calls.ts';
import {
  decideStopRequestEndpoint,
  saveSuppressionSettingsEndpoint,
  suppressionSourcesEndpoint,
} from '#contract/calling/suppression-sources.ts';
import {
  addSuppressionEndpoint,
  listSuppressionsEndpoint,
  removeSuppressionEndpoint,
} from '#contract/calling/suppressions.ts';
import { forgetExpired } from '#server/features/retention/forget-expired.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { askToStop } from './ask-to-stop.ts';
import { confirmStop } from './confirm-stop.ts';
import { codeOf } from './stop-code.ts';

let product: Product;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [admin, user] = await Promise.all([product.admin(), product.user()]);
  await admin.call(saveSuppressionSettingsEndpoint, { publicPage: true });
});
beforeEach(async () => {
  for (const table of ['app.stop_requests', 'app.suppressions', 'app.rate_limits'])
    await sql`delete from ${sql.table(table)}`.execute(product.db);
});

const stranger = () => ({
  deps: product.deps,
  requestId: '',
  log: product.deps.log,
  signal: new AbortController().signal,
  ip: '198.51.100.30',
});
const add = (kind: 'phone' | 'email', value: string, note = 'by mistake?') =>
  user.call(addSuppressionEndpoint, { kind, value, note });
const entries = async () =>
  (await user.call(listSuppressionsEndpoint)).items.map(({ value, source, note }) => ({ value, source, note }));
const waiting = async () => (await admin.call(suppressionSourcesEndpoint)).requests;
const additions = async () =>
  (
    await sql<{ source: string }>`
      select facts ->> 'source' as source from app.evidence where kind = 'suppression.added' order by position desc limit 2
    `.execute(product.db)
  ).rows.map(({ source }) => source);

test('who confirms that they want to be left alone says so of an entry that others had added, also in the evidence', async () => {
  await add('email', 'asks@people.example');
  const contact = { kind: 'email', value: 'asks@people.example' } as const;
  const { ask } = await askToStop(stranger(), contact);
  await confirmStop(stranger(), { ...contact, ask, code: codeOf(product.deps.vault, ask) });
  expect(await entries()).toEqual([{ value: 'asks@people.example', source: 'public', note: 'by mistake?' }]);
  expect(await additions()).toEqual(['public', 'hand']);
});

test('who says so on the phone does, too, and does not undo what was confirmed', async () => {
  await add('phone', '217 555 0131');
  const leads = [{ business_name: 'Other', phone: '217-555-0131', compliance_status: 'safe' as const }];
  const listId = await buildListOf(product.db, user.id, leads, { sandbox: false });
  const [lead] = await readLeads(product.db, listId);
  const call = () => user.call(logCallEndpoint, { id: randomUUID(), leadId: lead?.id ?? '', outcome: 'do_not_call' });
  await call();
  expect(await entries()).toEqual([{ value: '+12175550131', source: 'call', note: 'by mistake?' }]);
  const contact = { kind: 'phone', value: '217 555 0131' } as const;
  const { ask } = await askToStop(stranger(), contact);
  await confirmStop(stranger(), { ...contact, ask, code: codeOf(product.deps.vault, ask) });
  await call();
  expect((await entries())[0]?.source).toBe('public');
});

test('a request that no code can confirm outlives an entry that stood there before', async () => {
  const { suppression } = await add('phone', '+44 20 7946 0131');
  await askToStop(stranger(), { kind: 'phone', value: '+44 20 7946 0131' });
  expect(await waiting()).toEqual({ items: [], total: 0 });
  await admin.call(removeSuppressionEndpoint, { reason: 'entered by mistake' }, { id: suppression.id });
  const { items, total } = await waiting();
  expect([items[0]?.value, total]).toEqual(['+442079460131', 1]);
  await admin.call(decideStopRequestEndpoint, { suppress: true }, { id: items[0]?.id ?? '' });
  expect(await entries()).toEqual([{ value: '+442079460131', source: 'public', note: null }]);
});

test('such a request waits as long as the entry stands, then as long as any other', async () => {
  const value = '+44 20 7946 0132';
  const { suppression } = await add('phone', value);
  await askToStop(stranger(), { kind: 'phone', value });
  await askToStop(stranger(), { kind: 'phone', value: '+44 20 7946 0133' });
  await sql`update app.suppressions set added_at = added_at - interval '200 days'`.execute(product.db);
  await sql`update app.stop_requests set asked_at = asked_at - interval '100 days'`.execute(product.db);
  const sweep = () => forgetExpired(product.db, new AbortController().signal);
  await sweep();
  await admin.call(removeSuppressionEndpoint, { reason: 'entered by mistake' }, { id: suppression.id });
  await sweep();
  expect((await waiting()).items.map((one) => one.value)).toEqual(['+442079460132']);
  await sql`update app.removed_suppressions set removed_at = removed_at - interval '91 days'`.execute(product.db);
  await sweep();
  expect((await waiting()).total).toBe(0);
});
