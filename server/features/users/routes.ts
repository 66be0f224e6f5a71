import type { Hono } from 'hono';
import { resetSecondStepEndpoint } from '#contract/access/second-step.ts';
import {
  inviteUserEndpoint,
  listInvitationsEndpoint,
  listUsersEndpoint,
  resendInvitationEndpoint,
  setUserRoleEndpoint,
  setUserStatusEndpoint,
  withdrawInvitationEndpoint,
} from '#contract/admin/users.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { jsonRoute } from '#server/http/json-route.ts';
import { route } from '#server/http/route.ts';
import { inviteUser } from './invite-user.ts';
import { listInvitations } from './list-invitations.ts';
import { listUsers } from './list-users.ts';
import { resendInvitation } from './resend-invitation.ts';
import { resetSecondStep } from './reset-second-step.ts';
import { setUserRole } from './set-user-role.ts';
import { setUserStatus } from './set-user-status.ts';
import { withdrawInvitation } from './withdraw-invitation.ts';

export function usersRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  jsonRoute(app, deps, listUsersEndpoint, (ctx) => listUsers(ctx));
  route(app, deps, setUserStatusEndpoint, (ctx, { body }) => setUserStatus(ctx, body));
  route(app, deps, setUserRoleEndpoint, (ctx, { body }) => setUserRole(ctx, body));
  route(app, deps, resetSecondStepEndpoint, (ctx, { body }) => resetSecondStep(ctx, body));
  route(app, deps, inviteUserEndpoint, (ctx, { body }) => inviteUser(ctx, body));
  route(app, deps, listInvitationsEndpoint, (ctx) => listInvitations(ctx));
  route(app, deps, resendInvitationEndpoint, (ctx, { body }) => resendInvitation(ctx, body));
  route(app, deps, withdrawInvitationEndpoint, (ctx, { body }) => withdrawInvitation(ctx, body));
}
