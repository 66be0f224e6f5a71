/** The mail that signs somebody in: the link, the same link to copy, and the code for another device. */
export function signInMail({ link, code, siteUrl }: { link: string; code: string; siteUrl: string }): {
  subject: string;
  text: string;
  html: string;
} {
  return {
    subject: 'Sign in to Fairlead',
    text: textOf(link, code, siteUrl),
    html: htmlOf(escapeHtml(link), code, escapeHtml(siteUrl)),
  };
}

const textOf = (link: string, code: string, siteUrl: string) => `Sign in to Fairlead

Open this link in the browser where you asked for it:

${link}

Or type this code there: ${code}

Link and code work once, and for one hour.

Did you not ask for this? Then ignore this mail: nobody gets in without it.

Fairlead · ${siteUrl}
`;

const htmlOf = (link: string, code: string, siteUrl: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>Sign in to Fairlead</title>
<style>
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
</style>
</head>
<body>
<div class="card">
<h1>Sign in to Fairlead</h1>
<p>Open the link in the browser where you asked for it.</p>
<p><a class="button" href="${link}">Sign in</a></p>
<p>Or type this code there:</p>
<p class="code">${code}</p>
<p class="small">Link and code work once, and for one hour. If the button does nothing, copy this address:</p>
<p class="small"><a class="plain" href="${link}">${link}</a></p>
<p class="small">Did you not ask for this? Then ignore this mail: nobody gets in without it.</p>
<p class="small">Fairlead · ${siteUrl}</p>
</div>
</body>
</html>
`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
