import type { CrmTag } from '#contract/admin/crm.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { requiredTags } from './required-tags.ts';

/** Adds to what is required already; a tag that is there takes the name given now. Returns all of them. */
export async function addRequiredTags(ctx: Ctx, { tags }: { tags: CrmTag[] }): Promise<{ items: CrmTag[] }> {
  const named = new Map(tags.map((tag) => [tag.tag_id, tag.tag_name.trim() || `Tag ${tag.tag_id}`]));
  return ctx.deps.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('app.required_tags')
      .values([...named].map(([tag_id, tag_name]) => ({ tag_id, tag_name, added_by: ctx.user.userId })))
      .onConflict((conflict) =>
        conflict.column('tag_id').doUpdateSet((given) => ({
          tag_name: given.ref('excluded.tag_name'),
          added_at: given.ref('excluded.added_at'),
        })),
      )
      .execute();
    await writeAudit(tx, ctx, {
      action: 'crm.tags_required',
      target: 'keap',
      details: { tags: [...named.values()], tag_ids: [...named.keys()] },
    });
    return { items: await requiredTags(tx) };
  });
}
