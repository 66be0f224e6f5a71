import type { Mail } from './mail.ts';

export type ProductMail = {
  subject: string;
  /** Plain text, one entry a paragraph. */
  paragraphs: readonly string[];
  /** A list of links below the paragraphs, each with a line of plain text. */
  items?: readonly MailItem[];
  /** Plain text below the list, one entry a paragraph. */
  afterItems?: readonly string[];
  button: { label: string; link: string };
  /** Plain text in small print below the button. */
  notes: readonly string[];
  siteUrl: string;
};

type MailItem = { label: string; link: string; note: string };

/** A mail of the product in text and HTML, with one thing to do. Everything in it is escaped. */
export function productMail(mail: ProductMail): Omit<Mail, 'to'> {
  const { subject, paragraphs, items = [], afterItems = [], button, notes, siteUrl } = mail;
  const signature = `Fairlead · ${siteUrl}`;
  const text = `${[
    subject,
    ...paragraphs,
    ...items.map((item) => `${item.label}\n${item.note}\n${item.link}`),
    ...afterItems,
    `${button.label}: ${button.link}`,
    ...notes,
    signature,
  ].join('\n\n')}\n`;
  const link = escapeHtml(button.link);
  const html = page(
    escapeHtml(subject),
    [
      ...paragraphs.map(htmlParagraph),
      ...(items.length > 0 ? [`<ul>${items.map(htmlItem).join('')}</ul>`] : []),
      ...afterItems.map(htmlParagraph),
      `<p><a class="button" href="${link}">${escapeHtml(button.label)}</a></p>`,
      '<p class="small">If the button does nothing, copy this address:</p>',
      `<p class="small"><a class="plain" href="${link}">${link}</a></p>`,
      ...[...notes, signature].map((note) => `<p class="small">${escapeHtml(note)}</p>`),
    ].join('\n'),
  );
  return { subject, text, html };
}

const htmlParagraph = (paragraph: string) => `<p>${escapeHtml(paragraph)}</p>`;
const htmlItem = ({ label, link, note }: MailItem) =>
  `<li><a class="plain" href="${escapeHtml(link)}">${escapeHtml(label)}</a><br><span class="small">${escapeHtml(note)}</span></li>`;

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
body { margin: 0; padding: 24px 12px; background: #f4f6f7; color: #16212b; font: 16px/1.5 Inter, system-ui, sans-serif; }
.card { max-width: 440px; margin: 0 auto; padding: 28px; background: #ffffff; border: 1px solid #d9e0e4; border-radius: 8px; }
h1 { margin: 0 0 12px; font-size: 20px; }
.button { display: inline-block; padding: 10px 18px; border-radius: 6px; background: #0b6b80; color: #ffffff; font-weight: 600; text-decoration: none; }
ul { padding-left: 20px; }
li { margin-bottom: 8px; }
.small { color: #52626d; font-size: 13px; }
.plain { word-break: break-all; color: #0b6b80; }
@media (prefers-color-scheme: dark) {
  body { background: #0e1418; color: #e6edf0; }
  .card { background: #162027; border-color: #2a3740; }
  .button { background: #4cc3d9; color: #07171c; }
  .small { color: #9fb0ba; }
  .plain { color: #6bd0e3; }
}
</style>
</head>
<body>
<div class="card">
<h1>${title}</h1>
${body}
</div>
</body>
</html>
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
