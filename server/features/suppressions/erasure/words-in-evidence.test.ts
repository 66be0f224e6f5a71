import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { logCallEndpoint } from '#contract/calling/calls.ts';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import {
  addSuppressionEndpoint,
  importSuppressionsEndpoint,
  listSuppressionsEndpoint,
  removeSuppressionEndpoint,
} from '#contract/calling/suppressions.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { readEntries } from '#server/evidence/read-entries.ts';
import { verifyChain } from '#server/evidence/verify-chain.ts';
import { columnsWith } from '#test/databases/find-text.ts';
import { exportRows } from '#test/exports.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [admin, user] = await Promise.all([product.admin(), product.user()]);
});

const vault = () => evidenceVault(product.deps.db, product.deps.vault);
async function sealedTexts(): Promise<string> {
  const texts: string[] = [];
  for await (const entries of readEntries(product.db, await vault(), { condition: sql`true`, subject: undefined }))
    texts.push(...entries.flatMap(({ parts }) => parts.flatMap(({ text }) => text ?? [])));
  return texts.join('\n');
}

test('words in the evidence of others that mention an erased contact are destroyed, and the rest of it stays', async () => {
  const add = (value: string, note: string) => user.call(addSuppressionEndpoint, { kind: 'email', value, note });
  await add('one@people.example', 'also at (303) 555-0151');
  await add('two@people.example', 'said stop');
  const { suppression } = await add('three@people.example', 'by mistake');
  await admin.call(removeSuppressionEndpoint, { reason: 'meant Jane.Roe@people.example' }, { id: suppression.id });
  const leads = [{ business_name: 'Other', phone: '303-555-0152', compliance_status: 'safe' as const }];
  const listId = await buildListOf(product.db, user.id, leads, { sandbox: false, name: 'Clients of 303.555.0151' });
  const [lead] = await readLeads(product.db, listId);
  const note = 'ask jane.roe@people.example instead';
  await user.call(logCallEndpoint, { id: randomUUID(), leadId: lead?.id ?? '', outcome: 'reached', note });
  await exportRows(product, user, listId);
  expect(await sealedTexts()).toMatch(/555-0151[\s\S]*Jane\.Roe[\s\S]*jane\.roe[\s\S]*555\.0151/);

  await admin.call(eraseContactEndpoint, { kind: 'phone', value: '+1 303 555 0151' });
  await admin.call(eraseContactEndpoint, { kind: 'email', value: 'jane.roe@people.example' });
  const left = await sealedTexts();
  expect(left).not.toMatch(/0151|jane/i);
  for (const stays of ['one@people.example', 'two@people.example', 'said stop', '+13035550152'])
    expect(left).toContain(stays);
  expect(await verifyChain(product.db, await vault())).toMatchObject({ ok: true });
});

test('what is written afterwards names no erased contact: the rest of it stays', async () => {
  await admin.call(eraseContactEndpoint, { kind: 'phone', value: '+1 303 555 0161' });
  await admin.call(eraseContactEndpoint, { kind: 'email', value: 'gone.person@people.example' });
  const add = (value: string, note: string) => user.call(addSuppressionEndpoint, { kind: 'email', value, note });
  const { suppression } = await add('four@people.example', 'moved, now (303) 555-0161 or 303 555 0169, said Ann');
  expect(suppression.note).toBe('moved, now [erased] or 303 555 0169, said Ann');
  // Digits beside it go along. In another script it cannot be told from the rest.
  expect((await add('five@people.example', 'room 12 303 555 0161')).suppression.note).toBe('room [erased]');
  expect((await add('eight@people.example', 'call ３０３ ５５５ ０１６１')).suppression.note).toBe('[erased]');
  // A column has room for no more than the note was.
  await admin.call(eraseContactEndpoint, { kind: 'email', value: 'a@b.co' });
  expect((await add('nine@people.example', `a@b.co ${'so '.repeat(164)}x`)).suppression.note).toBe('[erased]');
  const csv =
    'email,note\nsix@people.example,wrote from Gone.Person@people.example\nseven@people.example,on 12/01/2026\n';
  await user.call(importSuppressionsEndpoint, { csv });
  await admin.call(removeSuppressionEndpoint, { reason: 'meant 303.555.0161' }, { id: suppression.id });
  const leads = [{ business_name: 'Other', phone: '303-555-0162', compliance_status: 'safe' as const }];
  const listId = await buildListOf(product.db, user.id, leads, { sandbox: false });
  const [lead] = await readLeads(product.db, listId);
  const said = { id: randomUUID(), leadId: lead?.id ?? '', outcome: 'reached' as const };
  const note = 'Tom: write to gone.person@people.example, open 8-17';
  const { call } = await user.call(logCallEndpoint, { ...said, note });
  expect(call.note).toBe('Tom: write to [erased], open 8-17');
  // Sent again, it is the same.
  expect((await user.call(logCallEndpoint, { ...said, note })).call).toEqual(call);
  const left = await columnsWith(product.db, (text) => /303\D{0,3}555\D{0,3}0161|gone\.person/i.test(text));
  expect(left).toEqual([]);
  const { items } = await user.call(listSuppressionsEndpoint, undefined, { q: 'people.example' });
  expect(items.find(({ value }) => value === 'six@people.example')?.note).toBe('wrote from [erased]');
  expect(items.find(({ value }) => value === 'seven@people.example')?.note).toBe('on 12/01/2026');
  expect(await sealedTexts()).not.toMatch(/0161|gone\.person/i);
});
