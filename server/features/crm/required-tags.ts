import type { CrmTag } from '#contract/admin/crm.ts';
import type { Db } from '#db/connection/client.ts';

/** The tags of which anyone needs ANY to sign in, by name. */
export const requiredTags = (db: Db): Promise<CrmTag[]> =>
  db.selectFrom('app.required_tags').select(['tag_id', 'tag_name']).orderBy('tag_name').orderBy('tag_id').execute();
