import type { SandboxReply } from './wire.ts';

/** What the page hands on when its visitor has decided. */
export type Consent = { clientId: string; redirectUri: string; state: string };

/** The screen on which an administrator of the simulated CRM allows or denies access. Its form leads back to its own address. */
export function consentPage({ clientId, redirectUri, state }: Consent): SandboxReply {
  const hidden = Object.entries({ client_id: clientId, redirect_uri: redirectUri, state })
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');
  return page(
    'Allow access to Keap?',
    `<p><b>${escapeHtml(clientId)}</b> asks to read contacts and tags of this simulated Keap account.</p>
<p class="quiet">It leads back to ${escapeHtml(new URL(redirectUri).origin)}. Nothing here is real.</p>
<form method="post">${hidden}
<button name="decision" value="allow" class="main">Allow</button>
<button name="decision" value="deny">Deny</button></form>`,
    200,
  );
}

/** What a visitor is told whose address was put together wrongly. */
export const mistakePage = (message: string): SandboxReply =>
  page('This request can not be used', `<p>${escapeHtml(message)}</p>`, 400);

const page = (title: string, body: string, status: number): SandboxReply => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'referrer-policy': 'no-referrer',
  },
  body: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Sandbox Keap</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>
<body><main><p class="mark">Sandbox Keap</p><h1>${title}</h1>${body}</main></body></html>`,
});

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f7f8, #101214); color: light-dark(#16191c, #eceef0) }
main { box-sizing: border-box; width: min(26rem, 100vw - 2rem); padding: 1.5rem; border: 1px solid light-dark(#dcdfe3, #2a2e33); border-radius: 8px; background: light-dark(#fff, #171a1d) }
h1 { font-size: 1.2rem; margin: 0 0 .75rem } p { margin: 0 0 .75rem; overflow-wrap: anywhere }
.mark { font-size: .8rem; font-weight: 600; color: light-dark(#7a4a00, #f0b955) } .quiet { color: light-dark(#565c63, #a4abb3) }
form { display: flex; gap: .5rem; margin-top: 1.25rem }
button { font: inherit; min-height: 2.25rem; padding: 0 1rem; border-radius: 6px; border: 1px solid light-dark(#c6cbd1, #3a4047); background: none; color: inherit; cursor: pointer }
button.main { background: light-dark(#0b6b74, #3cc0cc); border-color: transparent; color: light-dark(#fff, #06282b) }
button:focus-visible { outline: 2px solid light-dark(#0b6b74, #3cc0cc); outline-offset: 2px }
`;

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0) ?? 63};`);
