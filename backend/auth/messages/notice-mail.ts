import { escapeHtml, mailPage } from './mail-page.ts';

/**
 * A change of an account that its owner is told of, because someone else with one of their sessions could have made it. `oldPhone`:
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
  'If this was not you, end any sessions you do not recognize on your account page. Undo the change there, and tell your administrator.';

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
        subject: 'Your Fairlead phone number was changed',
        happened: 'Your account now has a new phone number. Anyone who has that phone can sign in with it.',
      };
    case 'phone_removed':
      return {
        subject: 'Your Fairlead phone number was removed',
        happened: 'Your account no longer has a phone number, so no one can sign in with one.',
      };
    case 'factor_added':
      return {
        subject: 'A second step was added to your Fairlead account',
        happened: `${FACTORS[change.factor]} was added to your account as a second step. You will need it when you sign in.`,
      };
    case 'factor_removed':
      return {
        subject: 'A second step was removed from your Fairlead account',
        happened: `${FACTORS[change.factor]} was removed from your account. It is no longer a second step.`,
      };
    case 'recovery_codes_made':
      return {
        subject: 'New recovery codes were made for your Fairlead account',
        happened: 'Your account has ten new recovery codes. Earlier codes no longer work.',
      };
    case 'recovery_code_used':
      return {
        subject: 'A recovery code for your Fairlead account was used',
        happened: `Someone signed in to your account with a recovery code. Codes left: ${change.remaining}.`,
      };
    case 'identity_linked':
      return {
        subject: `${nameOf(change.provider)} was linked to your Fairlead account`,
        happened: `Someone signed in as you linked an account at ${nameOf(change.provider)}. Anyone who has that account can sign in with it.`,
      };
    case 'identity_unlinked':
      return {
        subject: `${nameOf(change.provider)} was unlinked from your Fairlead account`,
        happened: `An account at ${nameOf(change.provider)} was removed from yours. No one can sign in with it anymore.`,
      };
  }
}

/** `custom:` and a name are the server's own. */
function nameOf(provider: string): string {
  const name = provider.replace(/^custom:/, '');
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
