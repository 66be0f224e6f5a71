import type { SessionAnswer } from '#backend/auth/sessions/session-answer.ts';
import type { AuthError } from './auth-error.ts';
import type { AuthOptions } from './options.ts';

/** `wanted`, when its origin is on the allow-list; else the site. */
export function allowedRedirect(
  options: Pick<AuthOptions, 'allowedRedirects' | 'siteUrl'>,
  wanted: string | null | undefined,
): string {
  const url = wanted ? URL.parse(wanted) : null;
  // A blob: has the origin of the page that made it.
  if (!url || url.protocol === 'blob:' || url.username || url.password) return options.siteUrl;
  return options.allowedRedirects.includes(url.origin) ? url.href : options.siteUrl;
}

/** The address with `parameters` added to its query, what it held before kept. */
export function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The address with `parameters` as its fragment, which browsers never send to a server. */
export function withFragment(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  url.hash = new URLSearchParams(parameters).toString();
  return url.href;
}

/** The error in query and fragment: clients of one flow read the one, of the other flow the other. */
export function withError(address: string, error: AuthError): string {
  return withRefusal(address, {
    error: oauthError(error.status),
    error_code: error.code,
    error_description: error.message,
  });
}

/** The same for an error that is not ours, and has no code of ours. */
export const withRefusal = (address: string, parameters: { error: string; [name: string]: string }): string =>
  withFragment(withQuery(address, parameters), parameters);

/** The address with a session in its fragment, for an implicit flow. `type`: of the mail that brought it. */
export const withSession = (address: string, session: SessionAnswer, type?: string): string =>
  withFragment(address, {
    access_token: session.access_token,
    expires_at: String(session.expires_at),
    expires_in: String(session.expires_in),
    refresh_token: session.refresh_token,
    token_type: session.token_type,
    ...(type ? { type } : {}),
  });

function oauthError(status: number): string {
  if (status === 429) return 'temporarily_unavailable';
  if (status >= 500) return 'server_error';
  return status === 400 ? 'invalid_request' : 'access_denied';
}
