import type { mailHeadEndpoint } from '#contract/calling/evidence.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';

/** Starts or ends the caller's daily mail. */
export function mailHead(ctx: Ctx, { on }: { on: boolean }): Promise<DataOf<typeof mailHeadEndpoint>> {
  const { userId } = ctx.user;
  return ctx.deps.db.transaction().execute(async (tx) => {
    const mails = on
      ? tx
          .insertInto('app.evidence_mails')
          .values({ user_id: userId })
          .onConflict((known) => known.doNothing())
      : tx.deleteFrom('app.evidence_mails').where('user_id', '=', userId);
    await mails.execute();
    await writeAudit(tx, ctx, { action: 'evidence.mail_set', target: userId, details: { on } });
    return { on };
  });
}
