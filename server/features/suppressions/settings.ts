import type { SuppressionSettings } from '#contract/calling/suppression-sources.ts';
import type { Db } from '#db/connection/client.ts';

/** Where suppressions come from besides people who work here. */
export async function readSettings(db: Db): Promise<SuppressionSettings> {
  const row = await db.selectFrom('app.suppression_settings').selectAll().executeTakeFirstOrThrow();
  const { crm_tag_id: id, crm_tag_name: name } = row;
  return {
    publicPage: row.public_page,
    crmStatuses: row.crm_statuses,
    crmTag: id !== null && name !== null ? { id, name } : null,
  };
}
