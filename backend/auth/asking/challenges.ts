import { sql } from 'kysely';
import type { OneTimeTokenRow } from '#backend/auth/codes/one-time-tokens.ts';
import { answersChallenge, type PkceChallenge } from '#backend/auth/links/pkce.ts';
import type { Tx } from '#db/connection/tx.ts';

/** Browsers of one network that may finish with one link. Each ask makes a browser forget its verifier of before. */
const BROWSERS = 6;

/** Lets the browser of `challenge` finish with the link of a mail as well. */
export async function alsoFor(
  tx: Tx,
  { flow_state_id: flowId }: Pick<OneTimeTokenRow, 'flow_state_id'>,
  { challenge, metadata }: { challenge: PkceChallenge | undefined; metadata: object },
  network: string,
): Promise<void> {
  if (!flowId || !challenge) return;
  await tx
    .insertInto('auth.flow_challenges')
    .values({
      flow_state_id: flowId,
      asked_from: network,
      code_challenge: challenge.challenge,
      user_metadata: JSON.stringify(metadata),
      created_at: sql<Date>`clock_timestamp()`,
    })
    .execute();
  await sql`
    delete from auth.flow_challenges where id in (
      select id from auth.flow_challenges where flow_state_id = ${flowId} and asked_from = ${network}
      order by created_at desc offset ${BROWSERS})`.execute(tx);
}

/** What the browser that holds `verifier` said when it asked for the link of this flow. Undefined where it did not ask. */
export async function askedWith(
  tx: Tx,
  flow: { id: string; code_challenge: string; user_metadata: unknown },
  verifier: string,
): Promise<{ metadata: unknown } | undefined> {
  if (answersChallenge(flow.code_challenge, verifier)) return { metadata: flow.user_metadata };
  const others = await tx
    .selectFrom('auth.flow_challenges')
    .select(['code_challenge', 'user_metadata'])
    .where('flow_state_id', '=', flow.id)
    .execute();
  const found = others.find((one) => answersChallenge(one.code_challenge, verifier));
  return found && { metadata: found.user_metadata };
}
