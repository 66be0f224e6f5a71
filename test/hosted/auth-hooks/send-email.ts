import type { AuthMail } from '#backend/auth/messages/auth-mail.ts';
import type { UserJson } from '#backend/auth/people/users.ts';
import { askHook } from './ask-hook.ts';
import { hookMetadata } from './hook-metadata.ts';
import type { Hook } from './hook-options.ts';
import type { Site } from './site.ts';

/**
 * Has a hook send a mail; where a change of address takes two, both at once.
 * @throws AuthError of `askHook`.
 */
export async function sendEmailByHook(
  site: Site,
  hook: Hook,
  user: UserJson,
  [mail, other]: readonly [AuthMail, (AuthMail | undefined)?],
): Promise<void> {
  // GoTrue crosses them, and hooks have come to expect it: the code of the address that is left goes with the hash that is called new.
  const [hash, hashNew] = other ? [other.link?.token, mail.link?.token] : [mail.link?.token];
  await askHook(site, hook, {
    metadata: hookMetadata('send-email'),
    user,
    email_data: {
      token: mail.code,
      token_hash: hash ?? '',
      redirect_to: mail.link?.redirectTo ?? site.siteUrl,
      email_action_type: mail.link?.type ?? 'reauthentication',
      site_url: site.issuer,
      token_new: other?.code ?? '',
      token_hash_new: hashNew ?? '',
      old_email: '',
      old_phone: '',
      provider: '',
      factor_type: '',
    },
  });
}
