import { html } from 'hono/html';
import type { KeptMail } from '#server/mail/mail.ts';
import { MAILBOX_STYLE } from './mailbox-style.ts';

/** The page of all mails. Every value is escaped by the template. */
export function mailboxPage(mails: readonly KeptMail[]) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>Mailbox · Fairlead</title>
${MAILBOX_STYLE}
</head>
<body>
<header>
<h1>Mailbox</h1>
<p>No mail leaves this machine: what would have been sent is kept here. <a href="/outbox">Reload</a></p>
</header>
<main>
${mails.length === 0 ? html`<p class="empty">No mail yet. Ask for a sign-in link, then reload.</p>` : mails.map(mailArticle)}
</main>
</body>
</html>`;
}

function mailArticle({ to, subject, text, links, sentAt }: KeptMail) {
  const elsewhere = links.filter((link) => !text.includes(link));
  return html`<article>
<h2>${subject}</h2>
<p class="meta">To ${to} · <time datetime="${sentAt}">${inWords(sentAt)}</time></p>
<pre>${clickable(text, links)}</pre>
${elsewhere.length === 0 ? '' : html`<ul>${elsewhere.map((link) => html`<li>${anchor(link)}</li>`)}</ul>`}
</article>
`;
}

/** The text with its links to click, each where it stands. */
function clickable(text: string, links: readonly string[]) {
  // The longest first, so that a link that begins like another one is not cut short.
  const byLength = [...links].sort((a, b) => b.length - a.length);
  const parts: (string | ReturnType<typeof anchor>)[] = [];
  let plain = 0;
  for (let at = text.indexOf('http'); at !== -1; at = text.indexOf('http', at)) {
    const link = byLength.find((one) => text.startsWith(one, at));
    if (link) {
      parts.push(text.slice(plain, at), anchor(link));
      plain = at + link.length;
    }
    at += link?.length ?? 4;
  }
  parts.push(text.slice(plain));
  return parts;
}

const anchor = (link: string) => html`<a href="${link}">${link}</a>`;

const inWords = (iso: string) => iso.replace('T', ' ').replace(/\.\d+Z$/u, ' UTC');
