import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { addRequiredTagsEndpoint, crmStatusEndpoint } from '#contract/admin/crm.ts';
import { saveSuppressionSettingsEndpoint, suppressionSourcesEndpoint } from '#contract/calling/suppression-sources.ts';
import { listSuppressionsEndpoint } from '#contract/calling/suppressions.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { CrmDesk } from '#server/crm/crm-desk.ts';
import { connectCrm } from '#test/crm.ts';
import { buildListOf } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { pullOptOuts } from './pull-opt-outs.ts';

let product: Product;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [admin, user] = await Promise.all([product.admin(), product.user()]);
});
beforeEach(async () => {
  await sql`delete from app.suppressions`.execute(product.db);
  await product.db.deleteFrom('lists').execute();
  await product.db.deleteFrom('app.required_tags').execute();
});

const tag = { id: '1004', name: 'Do not contact' };
const choose = (settings: BodyOf<typeof saveSuppressionSettingsEndpoint>) =>
  admin.call(saveSuppressionSettingsEndpoint, settings);
const pull = (crm: CrmDesk = product.workerDeps.crm) =>
  pullOptOuts({ ...product.workerDeps, crm }, new AbortController().signal);
const sources = () => admin.call(suppressionSourcesEndpoint);
const values = async () => (await user.call(listSuppressionsEndpoint)).items.map(({ value }) => value).toSorted();

test.each(['real-a', 'sandbox-client'])('what %s was asked counts for no other account', async (before) => {
  await connectCrm(product, admin, before);
  await choose({ crmStatuses: true });
  const email = 'unsubscribed7@people.example';
  await buildListOf(product.db, user.id, [{ email }], { sandbox: before.startsWith('sandbox') });
  await pull();
  await sql`delete from app.suppressions`.execute(product.db);
  await buildListOf(product.db, user.id, [{ email }], { sandbox: false });
  expect(await pull()).toBe(false);
  await connectCrm(product, admin, 'real-b');
  expect((await sources()).pull).toMatchObject({ startedAt: null, completeAt: null, addresses: 0 });
  expect(await pull()).toBe(true);
  expect((await sources()).pull).toMatchObject({ addresses: 1, added: 1, failure: null });
  expect(await values()).toEqual([email]);
});

test('the tag of one account is not looked for in another, and required ones are named', async () => {
  await connectCrm(product, admin, 'real-a');
  await choose({ crmStatuses: false, crmTag: tag });
  await admin.call(addRequiredTagsEndpoint, { tags: [{ tag_id: '1001', tag_name: 'Member' }] });
  await connectCrm(product, admin, 'real-a');
  expect(await sources()).toMatchObject({ settings: { crmTag: tag }, pull: { tagBefore: null } });
  expect(await admin.call(crmStatusEndpoint)).not.toHaveProperty('tags_of_before');

  await connectCrm(product, admin, 'real-b');
  expect(await sources()).toMatchObject({ settings: { crmTag: null }, pull: { state: 'off', tagBefore: tag.name } });
  expect(await admin.call(crmStatusEndpoint)).toMatchObject({ tags_of_before: ['Member'] });
  expect(await pull()).toBe(false);
  await choose({ crmTag: { ...tag, name: 'Leave alone' } });
  await admin.call(addRequiredTagsEndpoint, { tags: [{ tag_id: '1001', tag_name: 'Member' }] });
  expect((await sources()).pull).toMatchObject({ tagBefore: null });
  expect(await admin.call(crmStatusEndpoint)).not.toHaveProperty('tags_of_before');
});

test('a connection of an earlier version learns its account before someone connects it again', async () => {
  await connectCrm(product, admin, 'real-a');
  await choose({ crmTag: tag });
  await product.db
    .updateTable('app.crm_connection')
    .set({ account: null, account_since: null, refreshed_at: new Date(Date.now() - 25 * 3_600_000) })
    .execute();
  await product.workerDeps.crm.refreshWhenDue();
  await connectCrm(product, admin, 'real-a');
  expect(await sources()).toMatchObject({ settings: { crmTag: tag }, pull: { tagBefore: null } });
  await connectCrm(product, admin, 'real-b');
  expect(await sources()).toMatchObject({ settings: { crmTag: null }, pull: { tagBefore: tag.name } });
});

test('a save on a page of before brings no tag of the other account, and ends no warning', async () => {
  await connectCrm(product, admin, 'real-a');
  await choose({ crmStatuses: false, crmTag: tag });
  await connectCrm(product, admin, 'real-b');
  await expect(choose({ crmTag: tag, crmTagWas: tag.id })).rejects.toMatchObject({ code: 'CONFLICT' });
  await choose({ crmStatuses: true });
  expect(await sources()).toMatchObject({
    settings: { crmStatuses: true, crmTag: null },
    pull: { tagBefore: tag.name },
  });
  await choose({ crmTag: null, crmTagWas: null });
  expect((await sources()).pull).toMatchObject({ tagBefore: null });
});

test('two administrators at once undo nothing of each other', async () => {
  await connectCrm(product, admin, 'real-a');
  await choose({ publicPage: false, crmStatuses: false, crmTag: null });
  const other = await product.admin();
  await Promise.all([
    choose({ crmStatuses: true }),
    other.call(saveSuppressionSettingsEndpoint, { crmTag: tag, crmTagWas: null }),
    other.call(saveSuppressionSettingsEndpoint, { publicPage: true }),
  ]);
  const chosen = { publicPage: true, crmStatuses: true, crmTag: tag };
  expect((await sources()).settings).toEqual(chosen);
  await expect(choose({ crmTag: { id: '1001', name: 'Member' }, crmTagWas: null })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect((await sources()).settings).toEqual(chosen);
});

test.each(['sandbox-client', 'real-b', 'real-a'])('a pull stores nothing once %s is connected', async (after) => {
  await connectCrm(product, admin, 'real-a');
  await choose({ crmTag: tag });
  await sql`update app.crm_pull set started_at = null, ended_at = null`.execute(product.db);
  const desk = product.workerDeps.crm;
  let asked = 0;
  const switching: CrmDesk = {
    ...desk,
    async ask(question, patience) {
      asked += 1;
      if (asked === 2) await connectCrm(product, admin, after);
      return desk.ask(question, patience);
    },
  };
  expect(await pull(switching)).toBe(true);
  expect(await values()).toEqual([]);
  expect((await sources()).pull).toMatchObject({ endedAt: null, failure: null, contacts: 0, added: 0 });
});
