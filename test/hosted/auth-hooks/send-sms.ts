import type { CodeToText } from '#backend/auth/kit/hooks.ts';
import type { UserJson } from '#backend/auth/people/users.ts';
import { askHook } from './ask-hook.ts';
import { hookMetadata } from './hook-metadata.ts';
import type { Hook } from './hook-options.ts';
import type { Site } from './site.ts';

/**
 * Has a hook text a code.
 * @throws AuthError of `askHook`.
 */
export async function sendSmsByHook(
  site: Pick<Site, 'log'>,
  hook: Hook,
  user: UserJson,
  { phone, code, isFactor }: CodeToText,
): Promise<void> {
  const sms = { otp: code, ...(isFactor ? { sms_type: 'mfa' } : {}), phone };
  await askHook(site, hook, { metadata: hookMetadata('send-sms'), user, sms });
}
