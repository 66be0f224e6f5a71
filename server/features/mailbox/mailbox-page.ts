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

function mailArticle(mail: KeptMail) {
  return html`<article>
<h2>${mail.subject}</h2>
<p class="meta">To ${mail.to} · <time datetime="${mail.sentAt}">${inWords(mail.sentAt)}</time></p>
${mail.links.length === 0 ? '' : html`<ul>${mail.links.map((link) => html`<li><a href="${link}">${link}</a></li>`)}</ul>`}
<pre>${mail.text}</pre>
</article>
`;
}

const inWords = (iso: string) => iso.replace('T', ' ').replace(/\.\d+Z$/u, ' UTC');
