import { createHash, randomBytes } from 'node:crypto';

/** How long an administrator may stay on the CRM's screen. */
export const OAUTH_STATE_MS = 10 * 60_000;
/** Ties a connection to the browser that started it. */
export const OAUTH_COOKIE = 'crm_oauth';

export const newSecret = (): string => randomBytes(32).toString('base64url');
export const hashOfSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
