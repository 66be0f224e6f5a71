import type { Context } from 'hono';
import type { AuthApp } from '#backend/auth/kit/auth-app.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { allowedRedirect } from '#backend/auth/kit/redirects.ts';
import { readBody, requireEmail } from '#backend/auth/kit/request-body.ts';
import { customProvidersOff, oauthServerOff } from '#backend/auth/switched-off.ts';
import { AttributesBody, DeleteBody, InviteBody, LinkBody } from './admin-bodies.ts';
import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { deleteFactorOf, listFactorsOf } from './factors-of-user.ts';
import { getUserById } from './find-user.ts';
import { generateLink } from './generate-link.ts';
import { inviteUser } from './invite-user.ts';
import { listUsers } from './list-users.ts';
import { updateUserById } from './update-user-by-id.ts';

/** What each path answers to. */
export const ADMIN_METHODS = {
  '/invite': 'POST',
  '/admin/users': 'GET, HEAD, POST',
  '/admin/users/:id': 'GET, HEAD, PUT, DELETE',
  '/admin/users/:id/factors': 'GET, HEAD',
  '/admin/users/:id/factors/:factorId': 'DELETE',
  '/admin/users/:id/passkeys': 'GET, HEAD',
  '/admin/users/:id/passkeys/:passkeyId': 'DELETE',
  '/admin/generate_link': 'POST',
};

/** What `supabase.auth.admin` calls, for anyone who holds the secret key. */
export function adminRoutes(app: AuthApp, context: AuthContext): void {
  const wanted = (c: Context, inBody?: string | null) => allowedRedirect(context, c.req.query('redirect_to') || inBody);

  for (const path of ['/invite', '/admin/*'])
    app.use(path, (c, next) => {
      requireService(c.get('isService'), c.req.raw);
      return next();
    });

  app.get('/admin/users', async (c) => {
    const { users, total, link } = await listUsers(context.db, c.req.query());
    return c.json({ users, aud: 'authenticated' }, 200, { 'X-Total-Count': String(total), Link: link });
  });
  app.post('/admin/users', async (c) => {
    const body = await readBody(c.req.raw, AttributesBody);
    return c.json(await createUser(context, body, c.get('caller')));
  });
  app.get('/admin/users/:id', async (c) => c.json(await getUserById(context.db, c.req.param('id'))));
  app.put('/admin/users/:id', async (c) => {
    const body = await readBody(c.req.raw, AttributesBody);
    return c.json(await updateUserById(context, c.req.param('id'), body, c.get('caller')));
  });
  app.delete('/admin/users/:id', async (c) => {
    const body = c.req.header('Content-Type') ? await readBody(c.req.raw, DeleteBody) : {};
    await deleteUser(context, c.req.param('id'), body.should_soft_delete ?? false, c.get('caller'));
    return c.json({});
  });

  app.get('/admin/users/:id/factors', async (c) => c.json(await listFactorsOf(context.db, c.req.param('id'))));
  app.delete('/admin/users/:id/factors/:factorId', async (c) => {
    const { id: userId, factorId } = c.req.param();
    return c.json(await deleteFactorOf(context, { userId, factorId }, c.get('caller')));
  });

  // No one has one.
  app.get('/admin/users/:id/passkeys', async (c) => {
    await getUserById(context.db, c.req.param('id'));
    return c.json([]);
  });
  app.delete('/admin/users/:id/passkeys/:passkeyId', async (c) => {
    await getUserById(context.db, c.req.param('id'));
    throw new AuthError(404, 'validation_failed', 'Passkey not found');
  });

  app.all('/admin/oauth/*', () => {
    throw oauthServerOff();
  });
  app.all('/admin/custom-providers/*', () => {
    throw customProvidersOff();
  });

  app.post('/invite', async (c) => {
    const body = await readBody(c.req.raw, InviteBody);
    const invite = { email: requireEmail(body), metadata: body.data ?? {}, redirectTo: wanted(c) };
    return c.json(await inviteUser(context, invite, c.get('caller')));
  });
  app.post('/admin/generate_link', async (c) => {
    const body = await readBody(c.req.raw, LinkBody);
    const wish = {
      type: body.type,
      email: requireEmail(body),
      newEmail: body.new_email ? requireEmail({ email: body.new_email }) : undefined,
      metadata: body.data ?? {},
      redirectTo: wanted(c, body.redirect_to),
    };
    return c.json(await generateLink(context, wish, c.get('caller')));
  });
}

/** @throws AuthError unless the caller holds the secret key: 401 `no_authorization`, 403 `not_admin`. */
function requireService(isService: boolean, request: Request): void {
  if (isService) return;
  throw request.headers.has('Authorization')
    ? new AuthError(403, 'not_admin', 'User not allowed')
    : new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
}
