import type { readHeadEndpoint } from '#contract/calling/evidence.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { readHead } from '#server/evidence/read-head.ts';
import type { Ctx } from '#server/http/context.ts';

/** The head of the chain, and whether an administrator gets it by mail. */
export async function readChainHead({ deps: { db }, user }: Ctx): Promise<DataOf<typeof readHeadEndpoint>> {
  const head = await readHead(db);
  if (user.role !== 'admin') return { head, mailed: null };
  const asked = await db
    .selectFrom('app.evidence_mails')
    .select('user_id')
    .where('user_id', '=', user.userId)
    .executeTakeFirst();
  return { head, mailed: asked !== undefined };
}
