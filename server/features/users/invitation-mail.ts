import type { Mail } from '#server/mail/mail.ts';
import { productMail } from '#server/mail/product-mail.ts';
import { INVITATION_DAYS } from './invitation.ts';

/** Tells somebody that they may sign in. The link fills in their address; it signs nobody in. */
export function invitationMail({
  email,
  role,
  invitedBy,
  siteUrl,
}: {
  email: string;
  role: 'user' | 'admin';
  invitedBy: string;
  siteUrl: string;
}): Mail {
  const as = role === 'admin' ? ' as an administrator' : '';
  return {
    to: email,
    ...productMail({
      subject: 'You are invited to Fairlead',
      paragraphs: [
        `${invitedBy} invites you to Fairlead${as}: find local business leads with your own provider keys, at the providers’ prices.`,
        'There is no password. Open the page, ask for a sign-in link, and it comes to this mailbox.',
      ],
      button: { label: 'Accept the invitation', link: `${siteUrl}/login?${new URLSearchParams({ email })}` },
      notes: [
        `The invitation is for ${email} and ends in ${INVITATION_DAYS} days.`,
        'Did you not expect this? Then ignore this mail: nothing happens without you.',
      ],
      siteUrl,
    }),
  };
}
