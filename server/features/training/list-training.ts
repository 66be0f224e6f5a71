import { type listTrainingEndpoint, TRAINING_PAGES } from '#contract/admin/training.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Ctx } from '#server/http/context.ts';

/** The videos of the pages that there are, active or not, and when they load. */
export async function listTraining({ deps }: Ctx): Promise<DataOf<typeof listTrainingEndpoint>> {
  const rows = await deps.db
    .selectFrom('app.training_videos')
    .select(['page_key', 'title', 'embed_code', 'is_active'])
    .where('page_key', 'in', TRAINING_PAGES)
    .execute();
  const videos = rows.map((row) => [
    row.page_key,
    { title: row.title, embedCode: row.embed_code, isActive: row.is_active },
  ]);
  const settings = await deps.db.selectFrom('app.training_settings').select('after_click').executeTakeFirst();
  return { videos: Object.fromEntries(videos), afterClick: settings?.after_click ?? false };
}
