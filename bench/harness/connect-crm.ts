import {
  addRequiredTagsEndpoint,
  CRM_OAUTH_CALLBACK_PATH,
  saveCrmCredentialsEndpoint,
  startCrmOauthEndpoint,
} from '#contract/admin/crm.ts';
import type { Session } from './sign-in.ts';

/**
 * Connects the sandbox's CRM as its administrator, and requires a tag that hardly anyone has.
 * @throws when that is refused.
 */
export async function connectCrm(url: string, { headers, post }: Session): Promise<void> {
  await post(saveCrmCredentialsEndpoint.path, { client_id: 'sandbox-bench', client_secret: 'a-client-secret' });
  const started = await fetch(`${url}${startCrmOauthEndpoint.path}`, { headers });
  const { data } = (await started.json()) as { data: { authorize_url: string } };
  const form = new URL(data.authorize_url).searchParams;
  form.set('decision', 'allow');
  const consent = await fetch(data.authorize_url, { method: 'POST', body: form, redirect: 'manual' });
  const { searchParams } = new URL(consent.headers.get('location') ?? '');
  const cookie = started.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const back = await fetch(`${url}${CRM_OAUTH_CALLBACK_PATH}?${searchParams}`, {
    headers: { cookie },
    redirect: 'manual',
  });
  if (!back.headers.get('location')?.endsWith('keap=connected')) throw new Error('The CRM was not connected.');
  await post(addRequiredTagsEndpoint.path, { tags: [{ tag_id: '1', tag_name: 'Bench' }] });
}
