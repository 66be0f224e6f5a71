/** What a mail is for, in words: `link` is what its button says. */
type Words = { subject: string; before: string; link?: string; codeBefore?: string; otherwise: string };

const HERE = 'Open this link in the browser where you asked for it';

const WORDS = {
  'sign-in': {
    subject: 'Sign in to Fairlead',
    before: HERE,
    link: 'Sign in',
    codeBefore: 'Or type this code there',
    otherwise: 'Did you not ask for this? Then ignore this mail: nobody gets in without it.',
  },
  recovery: {
    subject: 'Get back into Fairlead',
    before: HERE,
    link: 'Sign in',
    codeBefore: 'Or type this code there',
    otherwise: 'Did you not ask for this? Then ignore this mail: nobody gets in without it.',
  },
  invite: {
    subject: 'You are invited to Fairlead',
    before: 'Somebody invited you to Fairlead. To accept, open this link',
    link: 'Accept the invitation',
    codeBefore: 'Or type this code where you sign in',
    otherwise: 'Do you not know what this is about? Then ignore this mail: nobody gets in without it.',
  },
  'leave-address': {
    subject: 'Confirm that you leave this address',
    before:
      'Somebody who is signed in as you asked to use another email address with Fairlead. To agree, open this link',
    link: 'Change my address',
    otherwise:
      'Did you not ask for this? Then ignore this mail, and end the sessions that you do not know on your account page.',
  },
  'new-address': {
    subject: 'Confirm your new address',
    before: 'To use this email address with Fairlead, open this link',
    link: 'Use this address',
    otherwise: 'Did you not ask for this? Then ignore this mail: nothing is changed without it.',
  },
  reauthentication: {
    subject: 'Confirm that it is you',
    before: 'Type this code where Fairlead asked for it',
    otherwise: 'Did you not ask for this? Then end the sessions that you do not know on your account page.',
  },
} as const satisfies Record<string, Words>;

export type MailKind = keyof typeof WORDS;

/** One of the mails of signing in. Without a `link` it carries the code alone. */
export function authMail(
  kind: MailKind,
  { link, code, siteUrl }: { link?: string; code: string; siteUrl: string },
): { subject: string; text: string; html: string } {
  const words: Words = WORDS[kind];
  return {
    subject: words.subject,
    text: textOf(words, { link, code, siteUrl }),
    html: htmlOf(words, { link, code, siteUrl }),
  };
}

type Contents = { link: string | undefined; code: string; siteUrl: string };

/** Where there is a link the code is the other way; a mail that has none says at once what its code is for. */
const codeLine = ({ before, codeBefore = 'Or type this code', link }: Words) => (link ? codeBefore : before);

function textOf(words: Words, { link, code, siteUrl }: Contents): string {
  return [
    words.subject,
    ...(link ? [`${words.before}:`, link] : []),
    `${codeLine(words)}: ${code}`,
    `${link ? 'Link and code work' : 'The code works'} once, and for one hour.`,
    words.otherwise,
    `Fairlead · ${siteUrl}\n`,
  ].join('\n\n');
}

function htmlOf(words: Words, { link: address, code, siteUrl }: Contents): string {
  const link = address && escapeHtml(address);
  const button = link
    ? `<p>${words.before}.</p>
<p><a class="button" href="${link}">${words.link}</a></p>
`
    : '';
  const lifetime = link
    ? `<p class="small">Link and code work once, and for one hour. If the button does nothing, copy this address:</p>
<p class="small"><a class="plain" href="${link}">${link}</a></p>`
    : '<p class="small">The code works once, and for one hour.</p>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${words.subject}</title>
<style>${STYLE}</style>
</head>
<body>
<div class="card">
<h1>${words.subject}</h1>
${button}<p>${codeLine(words)}:</p>
<p class="code">${code}</p>
${lifetime}
<p class="small">${words.otherwise}</p>
<p class="small">Fairlead · ${escapeHtml(siteUrl)}</p>
</div>
</body>
</html>
`;
}

const STYLE = `
body { margin: 0; padding: 24px 12px; background: #f4f6f7; color: #16212b; font: 16px/1.5 Inter, system-ui, sans-serif; }
.card { max-width: 440px; margin: 0 auto; padding: 28px; background: #ffffff; border: 1px solid #d9e0e4; border-radius: 8px; }
h1 { margin: 0 0 12px; font-size: 20px; }
.button { display: inline-block; padding: 10px 18px; border-radius: 6px; background: #0b6b80; color: #ffffff; font-weight: 600; text-decoration: none; }
.code { font-size: 26px; font-weight: 600; letter-spacing: 4px; font-variant-numeric: tabular-nums; }
.small { color: #52626d; font-size: 13px; }
.plain { word-break: break-all; color: #0b6b80; }
@media (prefers-color-scheme: dark) {
  body { background: #0e1418; color: #e6edf0; }
  .card { background: #162027; border-color: #2a3740; }
  .button { background: #4cc3d9; color: #07171c; }
  .small { color: #9fb0ba; }
  .plain { color: #6bd0e3; }
}
`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
