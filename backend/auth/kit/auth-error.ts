import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AccessDenial } from './access-gate.ts';

const VERSION_HEADER = 'X-Supabase-Api-Version';
const VERSION = '2024-01-01';

/**
 * A refusal in GoTrue's terms. `message` has GoTrue's words where clients compare them; `code` is empty where GoTrue has none.
 */
export class AuthError extends Error {
  override name = 'AuthError';
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(status: ContentfulStatusCode, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The gate's denial, as every endpoint answers it: 403 `user_banned` for the disabled, else 403 `access_denied`. */
export const deniedError = (denial: AccessDenial) =>
  new AuthError(403, denial.reason === 'DISABLED' ? 'user_banned' : 'access_denied', denial.message);

/** The session of a token has ended. */
export const sessionNotFound = () =>
  new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');

/** The account of a session is gone. */
export const userNotFound = () => new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');

/** `{code, message}` for clients that name API version 2024-01-01 or later, the older `{code, error_code, msg}` for the others. */
export function errorResponse(request: Request, error: AuthError): Response {
  const asked = request.headers.get(VERSION_HEADER) ?? '';
  const modern = /^\d{4}-\d{2}-\d{2}$/.test(asked) && asked >= VERSION;
  const body = modern
    ? { code: error.code || 'unknown', message: error.message }
    : { code: error.status, ...(error.code ? { error_code: error.code } : {}), msg: error.message };
  return Response.json(body, {
    status: error.status,
    headers: {
      'Cache-Control': 'no-store',
      ...(error.code ? { 'x-sb-error-code': error.code } : {}),
      ...(modern ? { [VERSION_HEADER]: VERSION } : {}),
      ...error.headers,
    },
  });
}
