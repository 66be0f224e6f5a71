import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Storage, startStorage } from '#backend/storage/testing/harness.ts';
import { addressOf } from '#contract/address.ts';
import { EXPORT_HEADER, packEvidenceEndpoint } from '#contract/calling/evidence.ts';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import { addSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import { downloadAgainEndpoint } from '#contract/work/exports/download-again.ts';
import { EXPORTS_BUCKET, exportFolder, keptName } from '#contract/work/exports/export-archive.ts';
import { exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import { type Connection, connect } from '#db/connection/client.ts';
import { assuming } from '#db/roles/server-role.ts';
import { whyKept } from '#server/exports/held-since.ts';
import { mailOwners } from '#server/features/suppressions/notices/mail-owners.ts';
import { exportText } from '#test/exports.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
let other: TestUser;
let admin: TestUser;
let storage: Storage;
let web: Connection;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [user, other, admin] = await Promise.all([product.user(), product.user(), product.admin()]);
  web = connect(assuming(product.url, 'web'));
  storage = await startStorage(product.url, product.url, async ({ bucket, name }) =>
    bucket === EXPORTS_BUCKET ? whyKept(web.db, name) : undefined,
  );
});
afterAll(async () => {
  await storage.stop();
  await web.db.destroy();
});

const PHONES = ['303-555-0141', '303-555-0142', '303-555-0143'];
const hold = (value: string) => user.call(addSuppressionEndpoint, { kind: 'phone', value });

/** Keeps a file of the user's as the page does. Returns its name in the folder of the list. */
async function keep(listId: string, leads: number, exportId?: string): Promise<string> {
  const name = keptName({
    exportedAt: new Date().toISOString(),
    filter: 'all',
    compliance: 'all_leads',
    rights: 'all',
    callWithin: undefined,
    callTimes: true,
    leads,
    selected: false,
  });
  const path = `${exportFolder(user.id, listId)}/${name}`;
  const kept = await storage.service.from(EXPORTS_BUCKET).upload(path, 'phone', {
    contentType: 'text/csv',
    ...(exportId ? { metadata: { exportId } } : {}),
  });
  expect(kept.error).toBeNull();
  return name;
}
const again = (listId: string, name: string, who = user) => who.call(downloadAgainEndpoint, { listId, name });
const fetched = async (listId: string, name: string) => {
  const file = storage.service.from(EXPORTS_BUCKET);
  const path = `${exportFolder(user.id, listId)}/${name}`;
  const signed = await file.createSignedUrl(path, 60);
  return [(await file.download(path)).error?.message, (await fetch(signed.data?.signedUrl ?? '')).status];
};

test('a kept file is handed out until one of its contacts is suppressed, by the page and by its address', async () => {
  const listId = await buildListOf(
    product.db,
    user.id,
    PHONES.map((phone) => ({ phone })),
  );
  await exportText(product, user, listId);
  const first = await keep(listId, 3);
  await hold('303-555-0199');
  expect(await again(listId, first)).toEqual({ allowed: true });
  expect(await fetched(listId, first)).toEqual([undefined, 200]);
  await expect(again(listId, first, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(again(listId, `x${first}`)).rejects.toMatchObject({ code: 'NOT_FOUND' });

  await hold('(303) 555-0141');
  await product.db.deleteFrom('leads').where('phone', '=', '303-555-0142').execute();
  await hold('303.555.0142');
  const why = 'This file holds 2 contacts that were suppressed or erased after it was made. Export the list again.';
  await expect(again(listId, first)).rejects.toMatchObject({ code: 'CONFLICT', message: why });
  expect(await fetched(listId, first)).toEqual([why, 400]);

  await exportText(product, user, listId);
  const second = await keep(listId, 1);
  expect(await again(listId, second)).toEqual({ allowed: true });
  expect(await fetched(listId, second)).toEqual([undefined, 200]);
  await expect(again(listId, first)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('of two exports of one list that are kept in another order, each file is known by its own leads', async () => {
  const phones = ['303-555-0131', '303-555-0132'];
  const listId = await buildListOf(
    product.db,
    user.id,
    phones.map((phone) => ({ phone })),
  );
  const leads = await readLeads(product.db, listId);
  const exportOne = async (id = '') => {
    const body = { filter: 'all', compliance: 'all_leads', lead_ids: [id] };
    const response = await product.request(addressOf(exportLeadsEndpoint.path, { listId }), {
      method: 'POST',
      headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await response.text();
    return response.headers.get(EXPORT_HEADER) ?? '';
  };
  const [first, second] = [await exportOne(leads[0]?.id), await exportOne(leads[1]?.id)];
  const [ofSecond, ofFirst] = [await keep(listId, 1, second), await keep(listId, 1, first)];
  await hold(phones[0] ?? '');
  expect(await again(listId, ofSecond)).toEqual({ allowed: true });
  await expect(again(listId, ofFirst)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('a kept file that held a contact though it was suppressed before is not handed out once its owner is told', async () => {
  const listId = await buildListOf(product.db, user.id, [{ phone: '303-555-0181' }]);
  await exportText(product, user, listId);
  const name = await keep(listId, 1);
  // As after an import that was being stored while the file was made.
  await hold('303-555-0181');
  await sql`update app.suppressions set added_at = now() - interval '1 minute' where key = 'phone:+13035550181'`.execute(
    product.db,
  );
  await mailOwners(product.workerDeps, new AbortController().signal);
  await expect(again(listId, name)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('a kept file must be made again once the list of suppressions has grown by more than can be compared', async () => {
  const listId = await buildListOf(product.db, user.id, [{ phone: '303-555-0161' }]);
  await exportText(product, user, listId);
  const name = await keep(listId, 1);
  const added = sql`insert into app.suppressions (kind, key, source) select 'email', 'email:e' || at || '@many.example', 'file' from`;
  await sql`${added} generate_series(1, 19000) as at`.execute(product.db);
  expect(await again(listId, name)).toEqual({ allowed: true });
  await sql`${added} generate_series(19001, 21000) as at`.execute(product.db);
  await expect(again(listId, name)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'The suppression list has grown a lot since this file was made. Export the list again.',
  });
  await sql`delete from app.suppressions where key like 'email:e%@many.example'`.execute(product.db);
});

test('a file of an earlier version is known by the leads that its list has', async () => {
  const listId = await buildListOf(product.db, user.id, [{ phone: '303-555-0151' }, { phone: '303-555-0152' }]);
  const name = await keep(listId, 2);
  expect(await again(listId, name)).toEqual({ allowed: true });
  await hold('303-555-0151');
  await expect(again(listId, name)).rejects.toMatchObject({ message: expect.stringContaining('holds 1 contact that') });
});

test('a file that holds an erased contact is not handed out, also before it is removed', async () => {
  const [phone, kept] = ['303-555-0171', '303-555-0172'];
  const listId = await buildListOf(product.db, user.id, [{ phone }, { phone: kept }]);
  await exportText(product, user, listId);
  const early = await keep(listId, 2);
  await hold(phone);
  await expect(again(listId, early)).rejects.toMatchObject({ code: 'CONFLICT' });
  await admin.call(eraseContactEndpoint, { kind: 'phone', value: phone });
  // A browser keeps its file only once it has all of it.
  const late = await keep(listId, 2);
  const why = 'This file holds 1 contact that was suppressed or erased after it was made. Export the list again.';
  for (const name of [early, late]) {
    await expect(again(listId, name)).rejects.toMatchObject({ code: 'CONFLICT', message: why });
    expect(await fetched(listId, name)).toEqual([why, 400]);
  }
  await exportText(product, user, listId);
  expect(await again(listId, await keep(listId, 1))).toEqual({ allowed: true });
});

test('the evidence of an export says that it was downloaded again', async () => {
  const listId = await buildListOf(product.db, user.id, [{ phone: '303-555-0161' }]);
  const sent = await product.request(addressOf(exportLeadsEndpoint.path, { listId }), {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ filter: 'all', compliance: 'all_leads' }),
  });
  await sent.text();
  const exportId = sent.headers.get(EXPORT_HEADER) ?? '';
  await again(listId, await keep(listId, 1, exportId));
  const pack = await product.request(packEvidenceEndpoint.path, {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ exportId }),
  });
  expect(pack.status).toBe(200);
  expect(Buffer.from(await pack.arrayBuffer()).includes('export.again')).toBe(true);
});
