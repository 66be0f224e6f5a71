import { escapeHtml, page } from '#sandbox/page.ts';
import type { SandboxReply } from '#sandbox/wire.ts';

/** What the page hands on when its visitor has decided. */
export type Consent = { clientId: string; redirectUri: string; state: string };

/** The screen on which an administrator of the simulated CRM allows or denies access. Its form leads back to its own address. */
export function consentPage({ clientId, redirectUri, state }: Consent): SandboxReply {
  const hidden = Object.entries({ client_id: clientId, redirect_uri: redirectUri, state })
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');
  return page(
    'Sandbox Keap',
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
  page('Sandbox Keap', 'This request cannot be used', `<p>${escapeHtml(message)}</p>`, 400);
