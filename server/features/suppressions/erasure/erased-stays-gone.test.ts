import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { checkCallabilityEndpoint } from '#contract/calling/callability.ts';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import { searchOpenEndpoint } from '#contract/work/search/search-open.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { verifyChain } from '#server/evidence/verify-chain.ts';
import { addLeads } from '#server/features/search/lead-rows.ts';
import { buildList, readLeads } from '#test/lists.ts';
import { loadCsv } from '#test/open-data/load-csv.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [admin, user] = await Promise.all([product.admin(), product.user()]);
});

test('an erased business does not come back by a match with open data', async () => {
  const at = { latitude: 39.8, longitude: -89.65 };
  await loadCsv(product.url, [{ id: '1', name: 'Olive Dental', category: 'dentist', phone: '217-555-0101', ...at }]);
  await admin.call(eraseContactEndpoint, { kind: 'business', value: 'ChIJerasedOlive' });
  const list_id = await buildList(product.db, user.id);
  await user.call(searchOpenEndpoint, {
    source: 'open',
    query: 'dentist',
    location: 'Springfield, IL',
    radius: 20_000,
    list_id,
  });
  const place = { id: 'ChIJerasedOlive', name: 'Olive Dental', phone: '+1 217-555-0101', ...at };
  const found = [{ callId: null, place: { ...place, serviceArea: false, closedPermanently: false } }];
  await product.db.transaction().execute((tx) => addLeads(tx, list_id, found));
  expect(await readLeads(product.db, list_id)).toMatchObject([{ business_name: 'Olive Dental', place_id: null }]);
  expect(await product.db.selectFrom('app.open_matches').select('place_id').execute()).toEqual([]);
});

test('a question about an erased number does not write it down again', async () => {
  await admin.call(eraseContactEndpoint, { kind: 'phone', value: '303-555-0190' });
  expect(await user.call(checkCallabilityEndpoint, { phone: '(303) 555-0190' })).toMatchObject({ verdict: 'blocked' });
  const vault = await evidenceVault(product.deps.db, product.deps.vault);
  const subject = Buffer.from(vault.fingerprint('phone:+13035550190'), 'hex');
  const { rows } = await sql`
    select part.sealed from app.evidence_subjects as named join app.evidence_parts as part using (ticket, part)
    where named.subject = ${subject} and part.sealed is not null`.execute(product.db);
  expect(rows).toEqual([]);
  expect(await verifyChain(product.db, vault)).toMatchObject({ ok: true });
});
