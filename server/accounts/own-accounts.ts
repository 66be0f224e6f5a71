import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { findSession, sessionEndsAt } from '#db/roles/sessions.ts';
import type { Accounts } from './accounts.ts';

/** Accounts and sessions of our own backend, in whose tables we work beside it. */
export function ownAccounts(db: Db): Accounts {
  return {
    keepsSessions: true,
    removesInTransaction: true,
    tellsOwners: false,
    findSession: ({ sessionId }) => findSession(db, sessionId),

    async lock(tx, userId) {
      // In the order in which refreshing, opening and stepping up a session lock them, so that none deadlocks with this.
      await tx
        .selectFrom('auth.sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('id')
        .forUpdate()
        .execute();
      // Rows that refer to them may still be written: anyone who plans calls does so while holding the run that disabling its owner locks next.
      await tx.selectFrom('auth.users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
    },
    async shutOut(tx, userId) {
      await tx.deleteFrom('auth.sessions').where('user_id', '=', userId).execute();
    },
    async letIn() {},
    async copyRole(tx, userId, role) {
      const copy = JSON.stringify({ role });
      await tx
        .updateTable('auth.users')
        .set({
          raw_app_meta_data: sql<string>`raw_app_meta_data || ${copy}::jsonb`,
          raw_user_meta_data: sql<string>`raw_user_meta_data || ${copy}::jsonb`,
        })
        .where('id', '=', userId)
        .execute();
    },
    async removeFactors(tx, userId) {
      const removed = await tx
        .deleteFrom('auth.mfa_factors')
        .where('user_id', '=', userId)
        .returning('status')
        .execute();
      // Anyone who has the lost phone could sign in by its number.
      await tx
        .updateTable('auth.users')
        .set({ phone: null, phone_confirmed_at: null, phone_change: null, phone_change_sent_at: null })
        .where('id', '=', userId)
        .execute();
      await tx.deleteFrom('auth.identities').where('user_id', '=', userId).where('provider', '=', 'phone').execute();
      await tx.deleteFrom('auth.sessions').where('user_id', '=', userId).execute();
      return removed.filter(({ status }) => status === 'verified').length;
    },
    async remove(tx, userId) {
      await tx.deleteFrom('auth.users').where('id', '=', userId).execute();
    },

    async metadataOf(userId) {
      const row = await db
        .selectFrom('auth.users')
        .select('raw_user_meta_data')
        .where('id', '=', userId)
        .executeTakeFirst();
      return row?.raw_user_meta_data ?? null;
    },
    listSessions: ({ userId, sessionId }) =>
      db
        .selectFrom('auth.sessions as sessions')
        .select(['id', 'user_agent', 'created_at'])
        .select([
          // host(): an inet is written with its netmask otherwise.
          sql<string | null>`host(ip)`.as('ip'),
          sql<Date>`coalesce(refreshed_at, created_at)`.as('last_used_at'),
          sql<boolean>`id = ${sessionId}::uuid`.as('is_current'),
          sessionEndsAt('sessions').as('ends_at'),
        ])
        .where('user_id', '=', userId)
        .where(sql<boolean>`${sessionEndsAt('sessions')} > now()`)
        .orderBy('is_current', 'desc')
        .orderBy('last_used_at', 'desc')
        .orderBy('id')
        .execute(),
    async endSession(tx, userId, sessionId) {
      const ended = await tx
        .deleteFrom('auth.sessions')
        .where('id', '=', sessionId)
        .where('user_id', '=', userId)
        .returning('id')
        .executeTakeFirst();
      return ended !== undefined;
    },
    async endOldSessions(tx) {
      // Sessions that are locked are being used, ended or renewed, which looks at the same rule.
      const { rows } = await sql`
        delete from auth.sessions where id in (
          select id from auth.sessions where auth.session_ends_at(created_at, refreshed_at, not_after) <= now()
          order by id for update skip locked
        ) returning id`.execute(tx);
      return rows.length;
    },
    mailInvitation: async () => false,
  };
}
