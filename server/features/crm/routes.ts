import type { Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import {
  addRequiredTagsEndpoint,
  CRM_OAUTH_CALLBACK_PATH,
  crmCredentialsStatusEndpoint,
  crmStatusEndpoint,
  crmUserAccessEndpoint,
  deleteRequiredTagEndpoint,
  disconnectCrmEndpoint,
  listCrmTagsEndpoint,
  listRequiredTagsEndpoint,
  saveCrmCredentialsEndpoint,
  startCrmOauthEndpoint,
} from '#contract/admin/crm.ts';
import { createCrmTagList } from '#server/crm/tag-list.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { publicCtx, route } from '#server/http/route.ts';
import { addRequiredTags } from './add-required-tags.ts';
import { connectionStatus } from './connection-status.ts';
import { credentialsStatus } from './credentials-status.ts';
import { deleteRequiredTag } from './delete-required-tag.ts';
import { disconnect } from './disconnect.ts';
import { finishOauth } from './finish-oauth.ts';
import { listTags } from './list-tags.ts';
import { OAUTH_COOKIE, OAUTH_STATE_MS } from './oauth-state.ts';
import { requiredTags } from './required-tags.ts';
import { saveCredentials } from './save-credentials.ts';
import { startOauth } from './start-oauth.ts';
import { userAccess } from './user-access.ts';

export function crmRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  const tagList = createCrmTagList(deps.crm);
  route(app, deps, crmCredentialsStatusEndpoint, ({ deps: { db } }) => credentialsStatus(db));
  route(app, deps, saveCrmCredentialsEndpoint, (ctx, { body }) => saveCredentials(ctx, body));
  route(app, deps, crmStatusEndpoint, (ctx) => connectionStatus(ctx.deps));
  route(app, deps, disconnectCrmEndpoint, (ctx) => disconnect(ctx));
  route(app, deps, listCrmTagsEndpoint, (_, { query }) => listTags(tagList, query));
  route(app, deps, listRequiredTagsEndpoint, async (ctx) => ({ items: await requiredTags(ctx.deps.db) }));
  route(app, deps, addRequiredTagsEndpoint, (ctx, { body }) => addRequiredTags(ctx, body));
  route(app, deps, deleteRequiredTagEndpoint, (ctx, { query }) => deleteRequiredTag(ctx, query));
  route(app, deps, crmUserAccessEndpoint, (ctx, { query }) => userAccess(ctx, query));
  oauthRoutes(app, deps);
}

function oauthRoutes(app: Hono<HttpEnv>, deps: Deps): void {
  // Only the way back needs the cookie, and it comes from the CRM's site: Strict would keep it from being sent.
  const cookie = { path: CRM_OAUTH_CALLBACK_PATH, secure: deps.siteUrl.startsWith('https:') };
  route(app, deps, startCrmOauthEndpoint, async (ctx, _, c) => {
    const { authorizeUrl, browserSecret } = await startOauth(ctx);
    const maxAge = OAUTH_STATE_MS / 1000;
    setCookie(c, OAUTH_COOKIE, browserSecret, { ...cookie, httpOnly: true, sameSite: 'Lax', maxAge });
    return { authorize_url: authorizeUrl };
  });
  app.get(CRM_OAUTH_CALLBACK_PATH, async (c) => {
    const { state = '', code = '' } = c.req.query();
    const browserSecret = getCookie(c, OAUTH_COOKIE) ?? '';
    const outcome = await finishOauth(publicCtx(deps, c), { state, code, browserSecret });
    // After a refusal another tab of the same browser may be on its way still.
    if (outcome === 'connected') deleteCookie(c, OAUTH_COOKIE, cookie);
    c.header('Cache-Control', 'no-store');
    c.header('Referrer-Policy', 'no-referrer');
    const words = outcome === 'connected' ? 'keap=connected' : `keap=failed&reason=${outcome}`;
    return c.redirect(`/admin/settings?${words}`, 303);
  });
}
