import type { SandboxReply } from './wire.ts';

/** A page for people. `mark` says what it plays; `body` is HTML. */
export const page = (mark: string, title: string, body: string, status: number): SandboxReply => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'referrer-policy': 'no-referrer',
  },
  body: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${mark}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>
<body><main><p class="mark">${mark}</p><h1>${title}</h1>${body}</main></body></html>`,
});

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f7f8, #101214); color: light-dark(#16191c, #eceef0) }
main { box-sizing: border-box; width: min(26rem, 100vw - 2rem); padding: 1.5rem; border: 1px solid light-dark(#dcdfe3, #2a2e33); border-radius: 8px; background: light-dark(#fff, #171a1d) }
h1 { font-size: 1.2rem; margin: 0 0 .75rem } p { margin: 0 0 .75rem; overflow-wrap: anywhere }
.mark { font-size: .8rem; font-weight: 600; color: light-dark(#7a4a00, #f0b955) } .quiet { color: light-dark(#565c63, #a4abb3) }
form { display: flex; gap: .5rem; margin-top: 1.25rem } form.column { flex-direction: column }
button { font: inherit; min-height: 2.25rem; padding: 0 1rem; border-radius: 6px; border: 1px solid light-dark(#c6cbd1, #3a4047); background: none; color: inherit; cursor: pointer }
button.wide { display: grid; justify-items: start; padding: .5rem 1rem; text-align: start; overflow-wrap: anywhere }
input { font: inherit; flex: 1; min-width: 0; min-height: 2.25rem; box-sizing: border-box; padding: 0 .75rem; border-radius: 6px; border: 1px solid light-dark(#c6cbd1, #3a4047); background: none; color: inherit }
button.main { background: light-dark(#0b6b74, #3cc0cc); border-color: transparent; color: light-dark(#fff, #06282b) }
button:focus-visible, input:focus-visible { outline: 2px solid light-dark(#0b6b74, #3cc0cc); outline-offset: 2px }
`;

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0) ?? 63};`);
