import { sql } from 'kysely';
import type { z } from 'zod/mini';
import { confirmsAddress, type deleteAccountEndpoint } from '#contract/account/account.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Tx } from '#db/connection/tx.ts';
import { lockAdmins, requireOtherAdmin } from '#server/admins/last-admin.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { createKeptLimits } from '#server/budgets/kept-limits.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';

const DEADLOCK = '40P01';
const TRIES = 5;

/**
 * Deletes the caller with everything that is theirs: sessions, keys, lists, runs and the ledger.
 * - Limits that administrators set for them stay until the month is over, under a keyed hash of their address.
 * - Work under way is not waited for: its workers find nothing left to write to.
 * @throws VALIDATION_FAILED when the address was not typed, CONFLICT for the last active administrator.
 */
export async function deleteAccount(
  ctx: Ctx,
  { email }: z.output<typeof deleteAccountEndpoint.body>,
): Promise<DataOf<typeof deleteAccountEndpoint>> {
  if (!confirmsAddress(email, ctx.user.email))
    throw new AppError('VALIDATION_FAILED', 'That is not the email address of your account. Type it to confirm.');
  for (let tries = 1; ; tries += 1) {
    try {
      // What a transaction has locked cannot be deleted from outside, so as much as possible is deleted before.
      if (!ctx.deps.accounts.removesInTransaction)
        await ctx.deps.db.transaction().execute((tx) => clear(tx, ctx, 'locked'));
      await ctx.deps.db.transaction().execute((tx) => remove(tx, ctx));
      return { id: ctx.user.userId };
    } catch (error) {
      // Workers lock calls, lists and runs in other orders than one that takes everything.
      const deadlock = error instanceof Error && 'code' in error && error.code === DEADLOCK;
      if (!deadlock || tries === TRIES) throw error;
    }
  }
}

async function remove(tx: Tx, ctx: Ctx): Promise<void> {
  await clear(tx, ctx, ctx.deps.accounts.removesInTransaction ? 'locked' : 'free');
  await ctx.deps.accounts.remove(tx, ctx.user.userId);
  // Without the person's address, which would outlive what it belongs to.
  const { ip, requestId } = ctx;
  await writeAudit(tx, { ip, requestId }, { action: 'account.deleted', target: ctx.user.userId });
}

/**
 * Deletes everything that can go before the account itself.
 * `locked`: no run begins and no call is booked until the transaction ends, so every cent spent is counted.
 */
async function clear(tx: Tx, ctx: Ctx, how: 'locked' | 'free'): Promise<void> {
  const { userId, email } = ctx.user;
  await lockAdmins(tx);
  const profile = await tx
    .selectFrom('app.profiles')
    .select('role')
    .where('user_id', '=', userId)
    .$if(how === 'locked', (query) => query.forUpdate())
    .executeTakeFirst();
  if (profile?.role === 'admin') await requireOtherAdmin(tx, userId);
  // Lists first: that cancels their runs, and spares each lead the loss of its calls one by one.
  await tx.deleteFrom('lists').where('user_id', '=', userId).execute();
  if (how === 'locked')
    await sql`select from app.runs where user_id = ${userId} and state in ('queued', 'running') order by id for update`.execute(
      tx,
    );
  await createKeptLimits(ctx.deps.vault).keep(tx, { id: userId, email });
  await tx.deleteFrom('app.answers').where('user_id', '=', userId).execute();
  await tx.deleteFrom('app.invitations').where(sql`lower(email)`, '=', email.toLowerCase()).execute();
}
