import { z } from 'zod/mini';
import { DENIAL_REASONS, Email } from '#contract/access/precheck.ts';
import { endpoint, looseId } from '#contract/endpoint.ts';

export const Role = z.enum(['user', 'admin']);
export type Role = z.infer<typeof Role>;
export const UserStatus = z.enum(['active', 'disabled']);
export type UserStatus = z.infer<typeof UserStatus>;

/** One account as administrators see it. `keap_tag_status` is what the gate last decided, null if the CRM was never asked. */
export const AdminUser = z.object({
  id: z.string(),
  email: z.string(),
  role: Role,
  status: UserStatus,
  last_sign_in_at: z.nullable(z.string()),
  /** Whether they have set up two-step sign-in. */
  second_step: z.boolean(),
  keap_tag_status: z.nullable(z.enum(['granted', 'NO_CONTACT', 'MISSING_TAG', 'KEAP_ERROR'])),
});
export type AdminUser = z.infer<typeof AdminUser>;

/** An invitation that was neither accepted nor withdrawn; it may have expired. `created_at` is when it was last sent. */
export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: Role,
  created_at: z.string(),
  expires_at: z.string(),
});
export type Invitation = z.infer<typeof Invitation>;

/** `access_denial`: why the gate would not let them in for all that, such as for want of a tag in the CRM; null if it would. */
export const SentInvitation = z.extend(Invitation, { access_denial: z.nullable(z.enum(DENIAL_REASONS)) });
export type SentInvitation = z.infer<typeof SentInvitation>;

/** All accounts, by address. */
export const listUsersEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/users/list',
  reads: true,
  access: 'admin',
  data: z.object({ items: z.array(AdminUser) }),
});

/** Disabling ends every session of that person at once. No one disables themselves, nor the last active admin. */
export const setUserStatusEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin/users/set-status',
  access: 'admin',
  freshProof: true,
  body: z.object({ user_id: looseId, status: UserStatus }),
  data: AdminUser,
});

/** No one changes their own role; the last active admin stays one. */
export const setUserRoleEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin/users/set-role',
  access: 'admin',
  freshProof: true,
  body: z.object({ user_id: looseId, role: Role }),
  data: AdminUser,
});

/**
 * Invites an address, or sends an open invitation again with a new role and a new term.
 * @throws CONFLICT for someone who has an account
 * @throws MAIL_FAILED when only the mail could not be sent
 */
export const inviteUserEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin/users/invite',
  access: 'admin',
  freshProof: true,
  body: z.object({ email: Email, role: z._default(Role, 'user') }),
  data: SentInvitation,
});

/**
 * Sends an open invitation again as it is, with a new term.
 * @throws CONFLICT once it was withdrawn or accepted
 * @throws MAIL_FAILED
 */
export const resendInvitationEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin/users/invitations/resend',
  access: 'admin',
  body: z.object({ id: looseId }),
  data: SentInvitation,
});

export const listInvitationsEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/users/invitations',
  reads: true,
  access: 'admin',
  data: z.object({ items: z.array(Invitation) }),
});

export const withdrawInvitationEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin/users/invitations/withdraw',
  access: 'admin',
  body: z.object({ id: looseId }),
  data: z.object({ id: z.string() }),
});
