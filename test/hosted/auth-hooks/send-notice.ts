import type { AccountChange } from '#backend/auth/messages/notice-mail.ts';
import type { UserJson } from '#backend/auth/people/users.ts';
import { askHook } from './ask-hook.ts';
import { hookMetadata } from './hook-metadata.ts';
import type { Hook } from './hook-options.ts';
import type { Site } from './site.ts';

/**
 * Has a hook mail to an owner what was changed in their account.
 * @throws AuthError of `askHook`.
 */
export async function sendNoticeByHook(site: Site, hook: Hook, user: UserJson, change: AccountChange): Promise<void> {
  await askHook(site, hook, {
    metadata: hookMetadata('send-email'),
    user,
    email_data: {
      token: '',
      token_hash: '',
      redirect_to: site.siteUrl,
      site_url: site.issuer,
      token_new: '',
      token_hash_new: '',
      old_email: '',
      old_phone: '',
      provider: '',
      factor_type: '',
      ...inWordsOfGoTrue(change),
    },
  });
}

/** To GoTrue a number that was removed is an identity. */
function inWordsOfGoTrue(change: AccountChange) {
  switch (change.type) {
    case 'phone_changed':
      return { email_action_type: 'phone_changed_notification', old_phone: change.oldPhone ?? '' };
    case 'phone_removed':
      return { email_action_type: 'identity_unlinked_notification', provider: 'phone' };
    case 'factor_added':
      return { email_action_type: 'mfa_factor_enrolled_notification', factor_type: change.factor };
    case 'factor_removed':
      return { email_action_type: 'mfa_factor_unenrolled_notification', factor_type: change.factor };
    case 'recovery_code_used':
      // GoTrue has no word for it.
      return { email_action_type: 'mfa_recovery_code_used_notification', factor_type: 'recovery_code' };
    case 'recovery_codes_made':
      return { email_action_type: 'mfa_factor_enrolled_notification', factor_type: 'recovery_code' };
    case 'identity_linked':
    case 'identity_unlinked':
      return { email_action_type: `${change.type}_notification`, provider: change.provider };
  }
}
