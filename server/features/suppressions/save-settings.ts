import type { SuppressionSettings, saveSuppressionSettingsEndpoint } from '#contract/calling/suppression-sources.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { readSettings } from './settings.ts';

/**
 * Says where suppressions come from.
 * - What is told of the tag of an account of before stays until someone chooses a tag, or none.
 * @throws CONFLICT for a tag where another one is chosen than the caller saw.
 */
export async function saveSettings(
  ctx: Ctx,
  { publicPage, crmStatuses, crmTag, crmTagWas }: BodyOf<typeof saveSuppressionSettingsEndpoint>,
): Promise<SuppressionSettings> {
  return ctx.deps.db.transaction().execute(async (tx) => {
    const before = await tx.selectFrom('app.suppression_settings').selectAll().forUpdate().executeTakeFirstOrThrow();
    if (crmTag !== undefined && crmTagWas !== undefined && crmTagWas !== before.crm_tag_id)
      throw new AppError('CONFLICT', 'The tag was changed meanwhile. Look at what is chosen now, and choose again.');
    await tx
      .updateTable('app.suppression_settings')
      .set({
        public_page: publicPage ?? before.public_page,
        crm_statuses: crmStatuses ?? before.crm_statuses,
        ...(crmTag !== undefined && {
          crm_tag_id: crmTag?.id ?? null,
          crm_tag_name: crmTag?.name ?? null,
          crm_tag_before: null,
        }),
      })
      .execute();
    const settings = await readSettings(tx);
    await writeAudit(tx, ctx, {
      action: 'suppression.sources_set',
      target: 'workspace',
      details: {
        public_page: settings.publicPage ? 'on' : 'off',
        opt_outs: settings.crmStatuses ? 'on' : 'off',
        tag: settings.crmTag?.name ?? 'none',
      },
    });
    return settings;
  });
}
