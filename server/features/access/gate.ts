import { sql } from 'kysely';
import { type DenialReason, denialText } from '#contract/auth.ts';
import type { Db } from '#db/client.ts';
import type { Tx } from '#db/tx.ts';
import type { AccessDecision, AccessDenial, Admission } from './decision.ts';

export type GateOptions = {
  db: Db;
  /** Lower-case addresses that are admins from their first sign-in. */
  adminEmails: readonly string[];
  /** Whether mail leaves this machine: then whoever comes first is not taken for the owner. */
  smtpConfigured: boolean;
  /** Decides for everybody but admins while a CRM with required tags is connected; answers undefined otherwise. */
  crm?: { decide(email: string): Promise<AccessDecision | undefined> };
};

export type Gate = {
  /** May this address ask for a link or keep a session? */
  decide(email: string): Promise<AccessDecision>;
  /**
   * Inside the transaction that makes a session: decides again, writes the profile with last_sign_in_at and accepts the
   * invitation. A denial leaves nothing written.
   */
  admit(tx: Tx, user: { id: string; email: string }): Promise<Admission>;
};

type Profile = { role: string; status: string };

/**
 * The one place that decides who gets in: the disabled never; then admins; then the CRM where it decides; then active profiles
 * and open invitations; and on an empty install the first person, who becomes admin.
 */
export function createGate({ db, adminEmails, smtpConfigured, crm }: GateOptions): Gate {
  const firstPersonIsOwner = adminEmails.length === 0 && !smtpConfigured;

  async function admissionOf(on: Db, email: string, profile: Profile | undefined): Promise<Admission> {
    if (profile?.status === 'disabled') return denial('DISABLED');
    if (adminEmails.includes(email) || profile?.role === 'admin') return { allow: true, role: 'admin' };
    const byCrm = await crm?.decide(email);
    if (byCrm && !byCrm.allow) return byCrm;
    if (profile) return { allow: true, role: 'user' };
    const invitation = await openInvitations(on, email).select('role').executeTakeFirst();
    if (invitation) return { allow: true, role: invitation.role === 'admin' ? 'admin' : 'user' };
    if (byCrm) return { allow: true, role: 'user' };
    if (firstPersonIsOwner && !(await hasProfiles(on))) return { allow: true, role: 'admin' };
    return denial('NO_CONTACT');
  }

  return {
    async decide(given) {
      const email = given.trim().toLowerCase();
      const profile = await profiles(db).where(sql`lower(email)`, '=', email).executeTakeFirst();
      const admission = await admissionOf(db, email, profile);
      return admission.allow ? { allow: true } : admission;
    },

    async admit(tx, { id, email: given }) {
      const email = given.trim().toLowerCase();
      const profile = await profiles(tx).where('user_id', '=', id).forUpdate().executeTakeFirst();
      // Of two people who come first at the same time, the second must see the first one's profile.
      if (!profile) await sql`select pg_advisory_xact_lock(hashtextextended('first person', 0))`.execute(tx);
      const admission = await admissionOf(tx, email, profile);
      if (!admission.allow) return admission;
      const { role } = admission;
      await tx
        .insertInto('app.profiles')
        .values({ user_id: id, email, role, last_sign_in_at: sql<Date>`now()` })
        .onConflict((conflict) =>
          conflict.column('user_id').doUpdateSet({
            email,
            role,
            last_sign_in_at: sql<Date>`now()`,
            updated_at: sql<Date>`now()`,
          }),
        )
        .execute();
      await tx
        .updateTable('app.invitations')
        .set({ accepted_at: sql<Date>`now()` })
        .where('id', 'in', openInvitations(tx, email).select('id'))
        .execute();
      return admission;
    },
  };
}

const profiles = (on: Db) => on.selectFrom('app.profiles').select(['role', 'status']);

const openInvitations = (on: Db, email: string) =>
  on
    .selectFrom('app.invitations')
    .where(sql`lower(email)`, '=', email)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`);

async function hasProfiles(on: Db): Promise<boolean> {
  return (await on.selectFrom('app.profiles').select('user_id').limit(1).executeTakeFirst()) !== undefined;
}

const denial = (reason: DenialReason): AccessDenial => ({ allow: false, reason, message: denialText(reason) });
