import { escapeHtml, page } from '#sandbox/page.ts';
import type { SandboxReply } from '#sandbox/wire.ts';
import { oidcPeople } from './oidc-people.ts';

const MARK = 'Sandbox sign-in';

/** The screen on which someone says who they are. Its form leads back to its own address, with what it was opened with. */
export function choicePage(asked: URLSearchParams): SandboxReply {
  const hidden = [...asked]
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  const people = oidcPeople
    .map(
      ({ email, name, email_verified: verified }) => `<button name="person" value="${escapeHtml(email)}" class="wide">
<b>${escapeHtml(name)}${verified ? '' : ' (not verified)'}</b><span class="quiet">${escapeHtml(email)}</span></button>`,
    )
    .join('');
  return page(
    MARK,
    'Who are you?',
    `<p class="quiet">It leads back to ${escapeHtml(new URL(asked.get('redirect_uri') ?? '').origin)}. No one here is real.</p>
<form method="post" class="column">${hidden}${people}</form>
<form method="post">${hidden}<input name="email" type="email" required placeholder="someone@else.example" aria-label="Another address">
<button name="person" value="other" class="main">Continue</button></form>
<form method="post">${hidden}<button name="person" value="">Cancel</button></form>`,
    200,
  );
}

/** What a visitor is told whose address was put together wrongly. */
export const mistakePage = (message: string): SandboxReply =>
  page(MARK, 'This request cannot be used', `<p>${escapeHtml(message)}</p>`, 400);
