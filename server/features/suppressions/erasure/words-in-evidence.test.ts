import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { logCallEndpoint } from '#contract/calling/calls.ts';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import { addSuppressionEndpoint, removeSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { readEntries } from '#server/evidence/read-entries.ts';
import { verifyChain } from '#server/evidence/verify-chain.ts';
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
