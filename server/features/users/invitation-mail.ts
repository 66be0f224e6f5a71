import type { Mail } from '#server/mail/mail.ts';
import { productMail } from '#server/mail/product-mail.ts';
import { INVITATION_DAYS } from './invitation.ts';

/** Tells someone that they may sign in. The link fills in their address; it signs no one in. */
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
        `${invitedBy} invited you to Fairlead${as}. Find local business leads with your own provider keys, at the providers’ prices.`,
        'You do not need a password. Open the page and request a sign-in link. It comes to this mailbox.',
      ],
      button: { label: 'Accept the invitation', link: `${siteUrl}/login?${new URLSearchParams({ email })}` },
      notes: [
        `The invitation is for ${email} and expires in ${INVITATION_DAYS} days.`,
        'If you did not expect this, ignore this email. Nothing happens unless you sign in.',
      ],
      siteUrl,
    }),
  };
}
