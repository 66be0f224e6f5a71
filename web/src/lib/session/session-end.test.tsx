import { afterEach, expect, test, vi } from 'vitest';
import { sessionEndText, watchSessionEnd } from './session-end.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const TOKEN = 'http://localhost/auth/v1/token?grant_type=refresh_token';

/** One call of the auth client, and what the backend returns to it. */
async function call(url: string, status: number, body: object): Promise<void> {
  vi.stubGlobal('fetch', async () => Response.json(body, { status }));
  expect(await (await watchSessionEnd(url)).json()).toEqual(body);
}
const expired = (message: string) => call(TOKEN, 400, { code: 'session_expired', message });

test('says why the session ended, until someone signs in', async () => {
  expect(sessionEndText()).toBeUndefined();
  await expired('Invalid Refresh Token: Session Expired (Inactivity)');
  expect(sessionEndText()).toContain('no one used this session');
  await expired('Invalid Refresh Token: Session Expired');
  expect(sessionEndText()).toContain('age limit');
  await call(TOKEN, 503, {});
  expect(sessionEndText()).toContain('age limit');
  await call('http://localhost/auth/v1/token?grant_type=pkce', 200, {});
  expect(sessionEndText()).toBeUndefined();
});

test('other refusals of a session are not explained by its age', async () => {
  await call(TOKEN, 400, { code: 'refresh_token_not_found', message: 'Invalid Refresh Token' });
  await call('http://localhost/rest/v1/lists', 400, { code: 'session_expired' });
  expect(sessionEndText()).toBeUndefined();
});
