import { AuthError } from '#backend/auth/kit/auth-error.ts';

/** Throws AuthError unless the caller holds the secret key: 401 `no_authorization`, 403 `not_admin`. */
export function requireService(isService: boolean, request: Request): void {
  if (isService) return;
  throw request.headers.has('Authorization')
    ? new AuthError(403, 'not_admin', 'User not allowed')
    : new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
}
