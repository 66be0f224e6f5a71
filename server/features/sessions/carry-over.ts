import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { carryOverSessionEndpoint } from '#contract/access/sessions.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { RequestLimit } from '#db/limits/count-requests.ts';
import { networkOf } from '#db/values/ip-network.ts';
import { recordRefusal } from '#server/audit/record-refusal.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Deps } from '#server/deps.ts';
import type { PublicCtx } from '#server/http/context.ts';
import { AppError, notFound } from '#server/lib/app-error.ts';
import { countRequest } from '#server/limits/count-requests.ts';

/** A browser needs one. An office behind one address opens its browsers on the same morning; no one guesses 32 random bytes. */
const PER_NETWORK: RequestLimit = { bucket: 'session.carry.ip.1h', hits: 1800, windowMs: 3_600_000 };
/** Longer than Supabase may take; after a crash it can be tried again. */
const TAKEN_FOR = sql`interval '1 minute'`;

/**
 * Exchanges the refresh token of a session from before the move to hosted Supabase, once, for what signs its owner in there.
 * The gate is asked as for a sign-in, because Supabase's hook asks it so again.
 * @throws NOT_FOUND elsewhere, RATE_LIMITED, and FORBIDDEN by the gate.
 * @throws UNAUTHENTICATED for what is no such token, or no longer.
 * @throws UNAVAILABLE, after which it can be tried again, also while the token is being exchanged.
 */
export async function carryOver(
  ctx: PublicCtx,
  { refresh_token: token }: { refresh_token: string },
): Promise<DataOf<typeof carryOverSessionEndpoint>> {
  const { deps } = ctx;
  const { signInToken } = deps.accounts;
  if (!signInToken) throw notFound('The session');
  await countRequest(deps, [PER_NETWORK, networkOf(ctx.ip)]);
  const hash = createHash('sha256').update(token).digest();
  const { email } = await findHolder(deps, hash);
  await askGate(ctx, email);
  const session = await take(deps, hash);
  // Nothing is locked meanwhile: Supabase may have to wait for our hooks.
  const token_hash = await signInToken(session.user_id).catch(async (error: unknown) => {
    await deps.db.updateTable('app.carried_sessions').set({ taken_at: null }).where('id', '=', session.id).execute();
    throw error;
  });
  await deps.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('app.carried_sessions').where('id', '=', session.id).execute();
    const user = { userId: session.user_id, email: '', role: 'user' } as const;
    const details = { way: 'carried_over' };
    await writeAudit(tx, { ...ctx, user }, { action: 'session.signed_in', target: session.user_id, details });
  });
  return { token_hash };
}

async function findHolder({ db }: Deps, hash: Buffer): Promise<{ email: string }> {
  const holder = await db
    .selectFrom('app.carried_sessions as session')
    .innerJoin('app.profiles as profile', 'profile.user_id', 'session.user_id')
    .select('profile.email')
    .where('token_hash', '=', hash)
    .where('ends_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!holder) throw isOver();
  return holder;
}

async function askGate(ctx: PublicCtx, email: string): Promise<void> {
  const { gate, db, vault } = ctx.deps;
  const decision = await gate.decide(email);
  if (decision.allow) return;
  const { reason, message } = decision;
  await recordRefusal(db, vault, ctx, { email, reason, at: 'sign_in' });
  throw new AppError(reason === 'KEAP_ERROR' ? 'UNAVAILABLE' : 'FORBIDDEN', message);
}

/** Marks a session as being exchanged: of two who present its token, one gets it. */
async function take({ db }: Deps, hash: Buffer): Promise<{ id: string; user_id: string }> {
  const session = await db
    .updateTable('app.carried_sessions')
    .set({ taken_at: sql<Date>`now()` })
    .where('token_hash', '=', hash)
    .where('ends_at', '>', sql<Date>`now()`)
    .where((where) =>
      where.or([where('taken_at', 'is', null), where('taken_at', '<', sql<Date>`now() - ${TAKEN_FOR}`)]),
    )
    .returning(['id', 'user_id'])
    .executeTakeFirst();
  if (session) return session;
  // Anyone who exchanges it now may yet fail, or die: no browser must forget its token for that.
  const isTaken = await db
    .selectFrom('app.carried_sessions')
    .select('id')
    .where('token_hash', '=', hash)
    .executeTakeFirst();
  throw isTaken
    ? new AppError('UNAVAILABLE', 'This session is being moved right now. Try again in a minute.')
    : isOver();
}

const isOver = () => new AppError('UNAUTHENTICATED', 'This session is over. Please sign in.');
