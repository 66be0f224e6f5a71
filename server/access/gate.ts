import { sql } from 'kysely';
import { type DenialReason, denialText } from '#contract/access/precheck.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { type Standing, standingOf } from '#db/roles/standing.ts';
import type { KeptLimits } from '#server/budgets/kept-limits.ts';
import type { CrmAccess, CrmVerdict } from '#server/crm/crm-access.ts';
import type { AccessDecision, AccessDenial, Admission } from './decision.ts';

export type GateOptions = {
  db: Db;
  /** Lower-case addresses that are admins from their first sign-in. */
  adminEmails: readonly string[];
  /** Whether others than the owner of this machine can prove an address: then anyone who comes first is not taken for the owner. */
  strangersMayCome: boolean;
  /** Has its say about everyone but admins. */
  crm?: CrmAccess;
  /** For how long the CRM's last grant keeps someone signed in while it cannot be asked. Default 24. */
  crmGraceHours?: number;
  /** Gives limits of administrators back to addresses that had them. */
  keptLimits?: KeptLimits;
};

export type Gate = {
  /** May this address sign in? Asks the CRM, so never inside a transaction. */
  decide(email: string): Promise<AccessDecision>;
  /**
   * Decides whether someone who may sign in as `from` may do so as `to`, which is not yet theirs.
   * By what the CRM says about `to`, where it decides. Where profiles decide, theirs goes along.
   */
  decideToMove(from: string, to: string): Promise<AccessDecision>;
  /**
   * Decides whether someone who is signed in may go on: as `decide`, but with grace while the CRM cannot be asked.
   * `standing`: from a caller who has just asked the database for it.
   */
  decideToStay(email: string, standing?: Standing): Promise<AccessDecision>;
  /**
   * Writes the profile with last_sign_in_at and accepts the invitation, inside the transaction that makes a session.
   * `decided`: the decision before it. What the database knows is looked at again; a denial leaves nothing written.
   */
  admit(tx: Tx, user: { id: string; email: string }, decided: AccessDecision): Promise<Admission>;
};

type Profile = { role: string; status: string };
type Known = { email: string; profile: Profile | undefined };

/**
 * The one place that decides who gets in, in this order:
 * - never the disabled
 * - administrators
 * - where the CRM decides, whom it lets in; else active profiles and open invitations
 * - on an empty install the first person, who becomes administrator
 */
export function createGate(options: GateOptions): Gate {
  const { db, adminEmails, strangersMayCome, crm, crmGraceHours = 24, keptLimits } = options;
  const firstPersonIsOwner = adminEmails.length === 0 && !strangersMayCome;

  const isAdmin = ({ email, profile }: Known) => adminEmails.includes(email) || profile?.role === 'admin';

  /** By what the database knows, and what the CRM has said. */
  async function admissionOf(on: Db, known: Known, verdict: CrmVerdict | undefined): Promise<Admission> {
    const { email, profile } = known;
    if (profile?.status === 'disabled') return denial('DISABLED');
    if (isAdmin(known)) return { allow: true, role: 'admin' };
    if (verdict !== undefined && verdict !== 'granted') return denial(verdict);
    if (profile) return { allow: true, role: 'user' };
    const invitation = await openInvitations(on, email).select('role').executeTakeFirst();
    if (invitation) return { allow: true, role: invitation.role === 'admin' ? 'admin' : 'user' };
    if (verdict === 'granted') return { allow: true, role: 'user' };
    if (firstPersonIsOwner && !(await hasProfiles(on))) return { allow: true, role: 'admin' };
    return denial('NO_CONTACT');
  }

  async function decide(given: string, asked?: Standing): Promise<AccessDecision> {
    const email = given.trim().toLowerCase();
    const standing = asked ?? (await standingOf(db, email));
    const known = { email, profile: profileIn(standing) };
    // Also for disabled people, so that timing does not tell them from strangers.
    const verdict = isAdmin(known) ? undefined : await crm?.decide(email, standing);
    const admission = await admissionOf(db, known, verdict);
    if (!admission.allow) return admission;
    return { allow: true, as: isAdmin(known) ? 'admin' : verdict === 'granted' ? 'contact' : 'known' };
  }

  return {
    decide: (email) => decide(email),

    async decideToMove(from, to) {
      const there = await decide(to);
      if (there.allow || there.reason === 'DISABLED') return there;
      const here = await decide(from);
      return here.allow && here.as !== 'contact' ? here : there;
    },

    async decideToStay(email, standing) {
      const decision = await decide(email, standing);
      if (decision.allow || decision.reason !== 'KEAP_ERROR') return decision;
      const grace = await db
        .selectFrom('app.profiles')
        .select('user_id')
        .where(sql`lower(email)`, '=', email.trim().toLowerCase())
        .where('crm_granted_at', '>', sql<Date>`now() - ${crmGraceHours} * interval '1 hour'`)
        .executeTakeFirst();
      return grace ? { allow: true, as: 'known' } : decision;
    },

    async admit(tx, { id, email: given }, decided) {
      const email = given.trim().toLowerCase();
      const profile = await tx
        .selectFrom('app.profiles')
        .select(['role', 'status', 'email'])
        .where('user_id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      // When two people come first at the same time, the second must see the first one's profile.
      if (!profile) await sql`select pg_advisory_xact_lock(hashtextextended('first person', 0))`.execute(tx);
      const known = { email, profile };
      if (!decided.allow && profile?.status !== 'disabled' && !isAdmin(known)) return decided;
      // Someone who was an administrator a moment ago was not asked about.
      if (decided.allow && decided.as === 'admin' && !isAdmin(known)) return denial('KEAP_ERROR');
      const byCrm = decided.allow && decided.as === 'contact';
      const admission = await admissionOf(tx, known, byCrm ? 'granted' : undefined);
      if (!admission.allow) return admission;
      const { role } = admission;
      const crmColumns = byCrm ? GRANTED : {};
      await tx
        .insertInto('app.profiles')
        .values({ user_id: id, email, role, last_sign_in_at: sql<Date>`now()`, ...crmColumns })
        .onConflict((conflict) =>
          conflict.column('user_id').doUpdateSet({
            email,
            role,
            last_sign_in_at: sql<Date>`now()`,
            updated_at: sql<Date>`now()`,
            ...crmColumns,
          }),
        )
        .execute();
      await tx
        .updateTable('app.invitations')
        .set({ accepted_at: sql<Date>`now()` })
        .where('id', 'in', openInvitations(tx, email).select('id'))
        .execute();
      const movedFrom = profile && profile.email.toLowerCase() !== email ? profile.email : undefined;
      if (movedFrom !== undefined) await keptLimits?.keep(tx, { id, email: movedFrom });
      if (!profile || movedFrom !== undefined) await keptLimits?.giveBack(tx, { id, email });
      return admission;
    },
  };
}

const GRANTED = { crm_access: 'granted', crm_checked_at: sql<Date>`now()`, crm_granted_at: sql<Date>`now()` };

const profileIn = ({ role, status }: Standing): Profile | undefined =>
  role !== null && status !== null ? { role, status } : undefined;

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
