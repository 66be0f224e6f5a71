import type { AuthContext } from '#backend/auth/kit/context.ts';
import type { UserJson } from '#backend/auth/people/users.ts';
import { askHook } from './ask-hook.ts';
import { hookMetadata } from './hook-metadata.ts';
import type { Hook } from './hook-options.ts';

/** Has a hook text a code. `phone`: digits only; `isFactor`: the code proves a second step. Throws AuthError: those of `askHook`. */
export async function sendSmsByHook(
  context: Pick<AuthContext, 'log'>,
  hook: Hook,
  user: UserJson,
  { phone, code, isFactor }: { phone: string; code: string; isFactor: boolean },
): Promise<void> {
  const sms = { otp: code, ...(isFactor ? { sms_type: 'mfa' } : {}), phone };
  await askHook(context, hook, { metadata: hookMetadata('send-sms'), user, sms });
}
