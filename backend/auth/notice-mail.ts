import { escapeHtml, mailPage } from './mail-page.ts';

/**
 * A change of an account that its owner is told of, because somebody else with one of their sessions could have made it. `oldPhone`:
 * digits, null where there was none.
 */
export type AccountChange =
  | { type: 'phone_changed'; oldPhone: string | null }
  | { type: 'phone_removed' }
  | { type: 'factor_added' | 'factor_removed'; factor: 'totp' | 'phone' }
  | { type: 'recovery_codes_made' }
  | { type: 'recovery_code_used'; remaining: number }
  | { type: 'identity_linked' | 'identity_unlinked'; provider: string };

const FACTORS = { totp: 'An authenticator app', phone: 'A phone' } as const;
const OTHERWISE =
  'Was it not you? Then end the sessions that you do not know on your account page, undo the change there, and tell your administrator.';

/** The mail about a change. It holds neither numbers nor codes. */
export function noticeMail(change: AccountChange, siteUrl: string): { subject: string; text: string; html: string } {
  const { subject, happened } = wordsOf(change);
  const page = `${siteUrl}/account`;
  const link = escapeHtml(page);
  return {
    subject,
    text: `${[subject, happened, OTHERWISE, `Your account page: ${page}`, `Fairlead · ${siteUrl}`].join('\n\n')}\n`,
    html: mailPage(
      escapeHtml(subject),
      `<p>${escapeHtml(happened)}</p>
<p>${OTHERWISE}</p>
<p><a class="button" href="${link}">Open my account page</a></p>
<p class="small">If the button does nothing, copy this address:</p>
<p class="small"><a class="plain" href="${link}">${link}</a></p>`,
      siteUrl,
    ),
  };
}

function wordsOf(change: AccountChange): { subject: string; happened: string } {
  switch (change.type) {
    case 'phone_changed':
      return {
        subject: 'Your phone number at Fairlead was changed',
        happened:
          'Your account has a phone number now, or another one than before. Whoever has that phone can sign in with it.',
      };
    case 'phone_removed':
      return {
        subject: 'Your phone number at Fairlead was removed',
        happened: 'Your account has no phone number any more, so nobody signs in with one.',
      };
    case 'factor_added':
      return {
        subject: 'A second step was added to your Fairlead account',
        happened: `${FACTORS[change.factor]} was added to your account as a second step, and is asked for when you sign in.`,
      };
    case 'factor_removed':
      return {
        subject: 'A second step was removed from your Fairlead account',
        happened: `${FACTORS[change.factor]} that was a second step of your account was removed from it.`,
      };
    case 'recovery_codes_made':
      return {
        subject: 'New recovery codes were made for your Fairlead account',
        happened: 'Ten recovery codes were made for your account. Earlier ones no longer work.',
      };
    case 'recovery_code_used':
      return {
        subject: 'A recovery code of your Fairlead account was used',
        happened: `Someone signed in to your account with a recovery code. ${change.remaining} of your codes are left.`,
      };
    case 'identity_linked':
      return {
        subject: `${nameOf(change.provider)} was linked with your Fairlead account`,
        happened: `Somebody who is signed in as you linked an account at ${nameOf(change.provider)}. Whoever has that account can sign in with it.`,
      };
    case 'identity_unlinked':
      return {
        subject: `${nameOf(change.provider)} was unlinked from your Fairlead account`,
        happened: `An account at ${nameOf(change.provider)} was taken from yours, so nobody signs in with it any more.`,
      };
  }
}

/** `custom:` and a name are the server's own. */
function nameOf(provider: string): string {
  const name = provider.replace(/^custom:/, '');
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
