import { beforeAll, expect, test } from 'vitest';
import { listTrainingEndpoint } from '#contract/admin/training.ts';
import {
  deleteTrainingEndpoint,
  listTrainingForEditorEndpoint,
  saveTrainingEndpoint,
  setVideoLoadingEndpoint,
} from '#contract/admin/training-editor.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
let admin: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [user, admin] = await Promise.all([product.user(), product.user('admin')]);
  await product.db.updateTable('app.profiles').set({ role: 'admin' }).where('user_id', '=', admin.id).execute();
});

const tour: BodyOf<typeof saveTrainingEndpoint> = {
  pageKey: 'dashboard',
  title: 'Take the tour',
  embedCode: 'https://youtu.be/aB3_-xyzQ09',
  isActive: true,
};
const refusal = (code: string, message: string) => ({ code, message: expect.stringContaining(message) });

test('an admin adds, changes and deletes what everyone sees', async () => {
  await admin.call(saveTrainingEndpoint, { ...tour, title: '  Take the tour ' });
  const { pageKey: _, ...video } = tour;
  expect(await user.call(listTrainingEndpoint)).toEqual({ videos: { dashboard: video }, afterClick: false });

  await admin.call(saveTrainingEndpoint, { ...tour, isActive: false });
  await admin.call(saveTrainingEndpoint, { ...tour, pageKey: 'usage', embedCode: 'vimeo.com/76543210' });
  const changed = {
    videos: { dashboard: { ...video, isActive: false }, usage: { ...video, embedCode: 'vimeo.com/76543210' } },
    afterClick: false,
  };
  expect(await user.call(listTrainingEndpoint)).toEqual(changed);
  expect(await admin.call(listTrainingForEditorEndpoint)).toEqual(changed);

  await admin.call(deleteTrainingEndpoint, { pageKey: 'dashboard' });
  await admin.call(deleteTrainingEndpoint, { pageKey: 'dashboard' });
  expect(Object.keys((await user.call(listTrainingEndpoint)).videos)).toEqual(['usage']);
  await admin.call(deleteTrainingEndpoint, { pageKey: 'usage' });
});

test('who did what is kept', async () => {
  await admin.call(saveTrainingEndpoint, { ...tour, pageKey: 'account' });
  const row = await product.db.selectFrom('app.training_videos').select('updated_by').executeTakeFirstOrThrow();
  expect(row.updated_by).toBe(admin.id);
  await admin.call(deleteTrainingEndpoint, { pageKey: 'account' });
  await admin.call(deleteTrainingEndpoint, { pageKey: 'account' });
  const log = await product.db
    .selectFrom('app.audit_log')
    .select(['actor_id', 'action', 'target'])
    .where('target', '=', 'account')
    .orderBy('id')
    .execute();
  expect(log).toEqual([
    { actor_id: admin.id, action: 'training.saved', target: 'account' },
    { actor_id: admin.id, action: 'training.deleted', target: 'account' },
  ]);
});

test('no one else may', async () => {
  const forbidden = { status: 403, code: 'FORBIDDEN' };
  await expect(user.call(listTrainingForEditorEndpoint)).rejects.toMatchObject(forbidden);
  await expect(user.call(saveTrainingEndpoint, tour)).rejects.toMatchObject(forbidden);
  await expect(user.call(deleteTrainingEndpoint, { pageKey: 'dashboard' })).rejects.toMatchObject(forbidden);
  expect(await user.call(listTrainingEndpoint)).toEqual({ videos: {}, afterClick: false });
});

test.each([
  [{ pageKey: 'lists' }, 'pageKey: Required'],
  [{ title: '  ' }, 'title: Required'],
  [{ title: 'x'.repeat(81) }, 'A title must be at most 80 characters long.'],
  [{ embedCode: '' }, 'embedCode: Required'],
  [{ embedCode: 'https://youtube.com.evil.example/watch?v=aB3_-xyzQ09' }, 'valid YouTube or Vimeo URL.'],
  [{ embedCode: '<iframe src="https://evil.example/"></iframe>' }, 'valid YouTube or Vimeo URL.'],
])('%j is refused', async (bad, message) => {
  await expect(admin.call(saveTrainingEndpoint, { ...tour, ...bad } as typeof tour)).rejects.toMatchObject(
    refusal('VALIDATION_FAILED', message),
  );
  expect(await user.call(listTrainingEndpoint)).toEqual({ videos: {}, afterClick: false });
});

test('a page of another version is left out, not a failure', async () => {
  const { pageKey: _, ...video } = tour;
  await product.db
    .insertInto('app.training_videos')
    .values({ page_key: 'reports', title: video.title, embed_code: video.embedCode })
    .execute();
  expect(await user.call(listTrainingEndpoint)).toEqual({ videos: {}, afterClick: false });
});

test('an admin chooses for everyone whether videos wait for a click; only a change is audited', async () => {
  await expect(user.call(setVideoLoadingEndpoint, { afterClick: true })).rejects.toMatchObject({ status: 403 });
  expect(await admin.call(setVideoLoadingEndpoint, { afterClick: true })).toEqual({ afterClick: true });
  await admin.call(setVideoLoadingEndpoint, { afterClick: true });
  expect((await user.call(listTrainingEndpoint)).afterClick).toBe(true);
  await admin.call(setVideoLoadingEndpoint, { afterClick: false });
  expect((await user.call(listTrainingEndpoint)).afterClick).toBe(false);
  const log = await product.db
    .selectFrom('app.audit_log')
    .select(['actor_id', 'details'])
    .where('action', '=', 'training.loading_set')
    .orderBy('id')
    .execute();
  expect(log).toEqual([
    { actor_id: admin.id, details: { loading: 'after_click' } },
    { actor_id: admin.id, details: { loading: 'at_once' } },
  ]);
});
