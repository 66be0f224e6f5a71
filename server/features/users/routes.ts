import type { Hono } from 'hono';
import { resetSecondStep } from '#contract/access/second-step.ts';
import {
  inviteUser,
  listInvitations,
  listUsers,
  resendInvitation,
  setUserRole,
  setUserStatus,
  withdrawInvitation,
} from '#contract/admin/users.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { jsonRoute } from '#server/http/json-route.ts';
import { route } from '#server/http/route.ts';
import { inviteUser as invite } from './invite-user.ts';
import { listInvitations as listOpen } from './list-invitations.ts';
import { listUsers as list } from './list-users.ts';
import { resendInvitation as resend } from './resend-invitation.ts';
import { resetSecondStep as reset } from './reset-second-step.ts';
import { setUserRole as setRole } from './set-user-role.ts';
import { setUserStatus as setStatus } from './set-user-status.ts';
import { withdrawInvitation as withdraw } from './withdraw-invitation.ts';

export function usersRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  jsonRoute(app, deps, listUsers, (ctx) => list(ctx));
  route(app, deps, setUserStatus, (ctx, { body }) => setStatus(ctx, body));
  route(app, deps, setUserRole, (ctx, { body }) => setRole(ctx, body));
  route(app, deps, resetSecondStep, (ctx, { body }) => reset(ctx, body));
  route(app, deps, inviteUser, (ctx, { body }) => invite(ctx, body));
  route(app, deps, listInvitations, (ctx) => listOpen(ctx));
  route(app, deps, resendInvitation, (ctx, { body }) => resend(ctx, body));
  route(app, deps, withdrawInvitation, (ctx, { body }) => withdraw(ctx, body));
}
