import type { SuppressionSettings } from '#contract/calling/suppression-sources.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { readSettings } from './settings.ts';

/** Says where suppressions come from. */
export async function saveSettings(ctx: Ctx, settings: SuppressionSettings): Promise<SuppressionSettings> {
  return ctx.deps.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('app.suppression_settings')
      .set({
        public_page: settings.publicPage,
        crm_statuses: settings.crmStatuses,
        crm_tag_id: settings.crmTag?.id ?? null,
        crm_tag_name: settings.crmTag?.name ?? null,
        crm_tag_before: null,
      })
      .execute();
    await writeAudit(tx, ctx, {
      action: 'suppression.sources_set',
      target: 'workspace',
      details: {
        public_page: settings.publicPage ? 'on' : 'off',
        opt_outs: settings.crmStatuses ? 'on' : 'off',
        tag: settings.crmTag?.name ?? 'none',
      },
    });
    return readSettings(tx);
  });
}
