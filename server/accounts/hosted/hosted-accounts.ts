import type { AuthError, User, UserResponse } from '@supabase/supabase-js';
import type { Logger } from 'pino';
import type { Db } from '#db/connection/client.ts';
import { FRESH_PROOF_MINUTES, type LiveSession, needsSecondStep } from '#db/roles/sessions.ts';
import type { Gate } from '#server/access/gate.ts';
import type { Accounts } from '#server/accounts/accounts.ts';
import type { HostedSupabase } from '#server/config/env.ts';
import { AppError } from '#server/lib/app-error.ts';
import { adminClient, FOR_GOOD } from './admin-client.ts';
import { admitArrival } from './admit-arrival.ts';
import { endCarriedSessions, listCarriedSessions } from './carried-sessions.ts';
import { changeRefused, mailRefused } from './refusals.ts';

/**
 * Returns the accounts of hosted Supabase, changed through its admin API only.
 * - A session that was ended there is not known of here until its token expires, within the hour.
 * - Who is disabled is out at once, because the profile says so.
 */
export function hostedAccounts(options: {
  db: Db;
  gate: Gate;
  supabase: HostedSupabase;
  siteUrl: string;
  log: Pick<Logger, 'error'>;
}): Accounts {
  const { db, gate, supabase, siteUrl, log } = options;
  const admin = adminClient(supabase);

  const profileOf = (userId: string) =>
    db
      .selectFrom('app.profiles')
      .select(['user_id', 'email', 'role', 'status', needsSecondStep('user_id').as('needs_second_step')])
      .where('user_id', '=', userId)
      .executeTakeFirst();

  async function done(call: Promise<UserResponse>): Promise<User> {
    const { data, error } = await call;
    if (error) throw refusal(error);
    return data.user;
  }

  /** Logged without its message, which may repeat an address. */
  function refusal(error: AuthError, meaning = changeRefused): AppError {
    const { name, code, status } = error;
    log.error({ reason: name, code, status }, 'Supabase refused an admin call');
    return meaning(error);
  }

  const copyRole = (userId: string, role: 'user' | 'admin') =>
    done(admin.updateUserById(userId, { app_metadata: { role }, user_metadata: { role } }));

  /** Administrators whose role this process has copied. No one sets the role of those whom the configuration names. */
  const copied = new Set<string>();
  function copyOnce(userId: string): void {
    if (copied.has(userId)) return;
    copied.add(userId);
    void copyRole(userId, 'admin').catch(() => copied.delete(userId));
  }

  async function admit(user: { id: string; email: string }) {
    const decision = await gate.decide(user.email);
    if (decision.allow) await admitArrival({ db, gate }, user, decision);
  }

  return {
    keepsSessions: false,
    removesInTransaction: false,
    tellsOwners: true,
    async findSession({ userId, email, provenAt = 0 }): Promise<LiveSession | undefined> {
      let profile = await profileOf(userId);
      if (!profile && email) {
        await admit({ id: userId, email });
        profile = await profileOf(userId);
      }
      if (!profile) return undefined;
      if (profile.role === 'admin' && profile.status === 'active') copyOnce(userId);
      return {
        userId,
        email: profile.email,
        role: profile.role === 'admin' ? 'admin' : 'user',
        status: profile.status === 'active' ? 'active' : 'disabled',
        needsSecondStep: profile.needs_second_step,
        isFresh: provenAt > Date.now() - FRESH_PROOF_MINUTES * 60_000,
      };
    },

    async lock() {},
    async shutOut(tx, userId) {
      await endCarriedSessions(tx, { userId });
      // The profile keeps them out by itself: a Supabase that is down must not stop that.
      await done(admin.updateUserById(userId, { ban_duration: FOR_GOOD })).catch(() => {});
    },
    async letIn(_tx, userId) {
      await done(admin.updateUserById(userId, { ban_duration: 'none' }));
    },
    async copyRole(_tx, userId, role) {
      await copyRole(userId, role);
    },
    async removeFactors(tx, userId) {
      await endCarriedSessions(tx, { userId });
      const { data, error } = await admin.mfa.listFactors({ userId });
      if (error) throw refusal(error);
      for (const { id } of data.factors) {
        const removed = await admin.mfa.deleteFactor({ userId, id });
        if (removed.error) throw refusal(removed.error);
      }
      return data.factors.filter(({ status }) => status === 'verified').length;
    },
    async remove(_tx, userId) {
      const answer = await admin.deleteUser(userId);
      // An earlier try went further than its answer.
      if (answer.error?.code !== 'user_not_found') await done(Promise.resolve(answer));
    },

    async metadataOf(userId) {
      return (await done(admin.getUserById(userId))).user_metadata;
    },
    async listSessions({ userId, sessionId }) {
      const { last_sign_in_at: at } = await db
        .selectFrom('app.profiles')
        .select('last_sign_in_at')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      const now = new Date();
      const times = { created_at: at ?? now, last_used_at: now, ends_at: null };
      const current = { id: sessionId, user_agent: null, ip: null, is_current: true, ...times };
      return [current, ...(await listCarriedSessions(db, userId))];
    },
    endSession: (tx, userId, id) => endCarriedSessions(tx, { userId, id }),
    async signInToken(userId) {
      const { email = '' } = await done(admin.getUserById(userId));
      const { data, error } = await admin.generateLink({ type: 'magiclink', email });
      if (error) throw refusal(error);
      // In the moment between the two, the address may have become someone else's.
      if (data.user.id !== userId) throw new AppError('UNAVAILABLE', 'The address has just changed. Try again.');
      return data.properties.hashed_token;
    },
    endOldSessions: async () => 0,
    async mailInvitation({ email, role }) {
      const { error } = await admin.inviteUserByEmail(email, { data: { role }, redirectTo: `${siteUrl}/login` });
      if (error && error.code !== 'email_exists') throw refusal(error, mailRefused);
      return !error;
    },
  };
}
