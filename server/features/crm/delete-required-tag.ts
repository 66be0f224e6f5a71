import type { CrmTag } from '#contract/admin/crm.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { requiredTags } from './required-tags.ts';

/** Requires a tag no more; one that is gone already is fine. Returns what is left. */
export async function deleteRequiredTag(ctx: Ctx, { tag_id }: { tag_id: string }): Promise<{ items: CrmTag[] }> {
  return ctx.deps.db.transaction().execute(async (tx) => {
    const deleted = await tx
      .deleteFrom('app.required_tags')
      .where('tag_id', '=', tag_id)
      .returning('tag_name')
      .executeTakeFirst();
    if (deleted)
      await writeAudit(tx, ctx, {
        action: 'crm.tag_not_required',
        target: tag_id,
        details: { tags: [deleted.tag_name] },
      });
    return { items: await requiredTags(tx) };
  });
}
