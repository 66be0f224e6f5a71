/** A mail of the sign-in as HTML. `subject` and `body` are HTML already. */
export const mailPage = (subject: string, body: string, siteUrl: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${STYLE}</style>
</head>
<body>
<div class="card">
<h1>${subject}</h1>
${body}
<p class="small">Fairlead · ${escapeHtml(siteUrl)}</p>
</div>
</body>
</html>
`;

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
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
