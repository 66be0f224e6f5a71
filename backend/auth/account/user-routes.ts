import { reauthenticate } from '#backend/auth/codes/reauthenticate.ts';
import type { AuthApp } from '#backend/auth/kit/auth-app.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { allowedRedirect } from '#backend/auth/kit/redirects.ts';
import { readBody, readChallenge, UserBody } from '#backend/auth/kit/request-body.ts';
import { getUser } from '#backend/auth/people/get-user.ts';
import { logOut } from '#backend/auth/sessions/log-out.ts';
import { updateUser } from './update-user.ts';

export const USER_METHODS = { '/user': 'GET, HEAD, PUT', '/reauthenticate': 'GET, HEAD', '/logout': 'POST' };

/** What people may do with their own account and session. */
export function userRoutes(app: AuthApp, context: AuthContext): void {
  app.get('/user', async (c) => c.json(await getUser(context, c.req.raw)));
  app.put('/user', async (c) => {
    const body = await readBody(c.req.raw, UserBody);
    const redirectTo = allowedRedirect(context, c.req.query('redirect_to'));
    const mailing = { challenge: readChallenge(body), redirectTo };
    return c.json(await updateUser(context, c.req.raw, body, mailing, c.get('caller')));
  });
  app.get('/reauthenticate', async (c) => {
    await reauthenticate(context, c.req.raw, c.get('caller'));
    return c.json({});
  });
  app.post('/logout', async (c) => {
    await logOut(context, c.req.raw, c.req.query('scope') || 'global', c.get('caller'));
    return c.body(null, 204);
  });
}
