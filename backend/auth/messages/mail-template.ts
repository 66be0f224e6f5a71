import { escapeHtml, mailPage } from './mail-page.ts';

/** What a mail is for, in words: `link` is what its button says. */
type Words = { subject: string; before: string; link?: string; codeBefore?: string; otherwise: string };

/** When the link and the code of a mail that is sent again stop working. */
export type MailEnds = { link: Date; code: Date };

const minutesUntil = (end: Date): string => {
  const minutes = Math.max(1, Math.floor((end.getTime() - Date.now()) / 60_000));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
};
const linkLife = (ends?: MailEnds): string =>
  `You can use the link once, within ${ends ? minutesUntil(ends.link) : 'one hour'}.`;
const codeLife = (ends?: MailEnds): string =>
  `You can use the code once, within ${ends ? minutesUntil(ends.code) : '10 minutes'}.`;

const HERE = 'Open this link in the browser where you requested it';

const WORDS = {
  'sign-in': {
    subject: 'Sign in to Fairlead',
    before: HERE,
    link: 'Sign in',
    codeBefore: 'Or type this code there',
    otherwise: 'If you did not request this, ignore this email. No one can sign in without it.',
  },
  recovery: {
    subject: 'Get back into Fairlead',
    before: HERE,
    link: 'Sign in',
    codeBefore: 'Or type this code there',
    otherwise: 'If you did not request this, ignore this email. No one can sign in without it.',
  },
  invite: {
    subject: 'You are invited to Fairlead',
    before: 'Someone invited you to Fairlead. To accept, open this link',
    link: 'Accept the invitation',
    codeBefore: 'Or type this code where you sign in',
    otherwise: 'If you did not expect this, ignore this email. No one can sign in without it.',
  },
  'leave-address': {
    subject: 'Confirm that you are leaving this address',
    before: 'Someone signed in as you asked to use a different email address with Fairlead. To agree, open this link',
    link: 'Change my address',
    otherwise:
      'If you did not request this, do not open the link. End any sessions you do not recognize on your account page.',
  },
  'new-address': {
    subject: 'Confirm your new address',
    before: 'To use this email address with Fairlead, open this link',
    link: 'Use this address',
    otherwise: 'If you did not request this, ignore this email. Nothing changes without it.',
  },
  reauthentication: {
    subject: 'Confirm that it is you',
    before: 'Type this code where Fairlead asked for it',
    otherwise: 'If you did not request this, end any sessions you do not recognize on your account page.',
  },
} as const satisfies Record<string, Words>;

export type MailKind = keyof typeof WORDS;

/** One of the mails of signing in. Without a `link` it carries the code alone. */
export function authMail(
  kind: MailKind,
  { link, ...rest }: { link?: string; code: string; ends?: MailEnds | undefined; siteUrl: string },
): { subject: string; text: string; html: string } {
  const words: Words = WORDS[kind];
  return {
    subject: words.subject,
    text: textOf(words, { link, ...rest }),
    html: htmlOf(words, { link, ...rest }),
  };
}

type Contents = { link: string | undefined; code: string; ends?: MailEnds | undefined; siteUrl: string };

/** Where there is a link the code is the other way; a mail that has none says at once what its code is for. */
const codeLine = ({ before, codeBefore = 'Or type this code', link }: Words) => (link ? codeBefore : before);

function textOf(words: Words, { link, code, ends, siteUrl }: Contents): string {
  return [
    words.subject,
    ...(link ? [`${words.before}:`, link] : []),
    `${codeLine(words)}: ${code}`,
    link ? `${linkLife(ends)} ${codeLife(ends)}` : codeLife(ends),
    words.otherwise,
    `Fairlead · ${siteUrl}\n`,
  ].join('\n\n');
}

function htmlOf(words: Words, { link: address, code, ends, siteUrl }: Contents): string {
  const link = address && escapeHtml(address);
  const button = link
    ? `<p>${words.before}.</p>
<p><a class="button" href="${link}">${words.link}</a></p>
`
    : '';
  const lifetime = link
    ? `<p class="small">${linkLife(ends)} ${codeLife(ends)} If the button does nothing, copy this address:</p>
<p class="small"><a class="plain" href="${link}">${link}</a></p>`
    : `<p class="small">${codeLife(ends)}</p>`;
  return mailPage(
    words.subject,
    `${button}<p>${codeLine(words)}:</p>
<p class="code">${code}</p>
${lifetime}
<p class="small">${words.otherwise}</p>`,
    siteUrl,
  );
}
