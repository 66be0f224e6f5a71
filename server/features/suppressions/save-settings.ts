import type { SuppressionSettings } from '#contract/calling/suppression-sources.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { readSettings } from './settings.ts';

/**
 * Says where suppressions come from.
 * - What is told of the tag of an account of before stays until someone chooses a tag, or saves without changing a switch.
 * @throws CONFLICT for a switch on a page that still shows that tag.
 */
export async function saveSettings(ctx: Ctx, settings: SuppressionSettings): Promise<SuppressionSettings> {
  return ctx.deps.db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('app.suppression_settings')
      .select(['public_page', 'crm_statuses', 'crm_tag_before'])
      .forUpdate()
      .executeTakeFirstOrThrow();
    const isSwitch = before.public_page !== settings.publicPage || before.crm_statuses !== settings.crmStatuses;
    if (isSwitch && settings.crmTag && settings.crmTag.name === before.crm_tag_before)
      throw new AppError('CONFLICT', 'Another Keap account was connected meanwhile. Load this page again.');
    await tx
      .updateTable('app.suppression_settings')
      .set({
        public_page: settings.publicPage,
        crm_statuses: settings.crmStatuses,
        crm_tag_id: settings.crmTag?.id ?? null,
        crm_tag_name: settings.crmTag?.name ?? null,
        crm_tag_before: isSwitch && !settings.crmTag ? before.crm_tag_before : null,
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
