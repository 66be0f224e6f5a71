import { CRM_OAUTH_CALLBACK_PATH, saveCrmCredentialsEndpoint, startCrmOauthEndpoint } from '#contract/admin/crm.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Process, TestUser } from './product.ts';

/** Goes to the sandbox's consent screen and presses a button there. Returns where it leads, with the cookie of the browser. */
export async function askConsent(admin: TestUser, decision: 'allow' | 'deny' = 'allow') {
  const started = await admin.get(startCrmOauthEndpoint.path);
  const { data } = (await started.json()) as { data: DataOf<typeof startCrmOauthEndpoint> };
  const address = data.authorize_url ?? '';
  const form = new URL(address).searchParams;
  form.set('decision', decision);
  const answer = await fetch(address, { method: 'POST', body: form, redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '');
  return { query: back.searchParams, cookie: started.headers.get('set-cookie')?.split(';', 1)[0] ?? '' };
}

/** Comes back from there. Returns where the browser is sent on to. */
export async function comeBack(process: Process, query: URLSearchParams, cookie: string): Promise<string> {
  const response = await process.request(`${CRM_OAUTH_CALLBACK_PATH}?${query}`, { headers: { cookie } });
  return response.headers.get('location') ?? `HTTP ${response.status}`;
}

/** Connects the sandbox's CRM. How `clientId` ends decides what it plays. */
export async function connectCrm(process: Process, admin: TestUser, clientId = 'sandbox-client'): Promise<void> {
  await admin.call(saveCrmCredentialsEndpoint, { client_id: clientId, client_secret: 'a-client-secret' });
  const { query, cookie } = await askConsent(admin);
  const to = await comeBack(process, query, cookie);
  if (to !== '/admin/settings?keap=connected') throw new Error(`The CRM was not connected: ${to}`);
}
