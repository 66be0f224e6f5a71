import type { AuthContext } from '#backend/auth/kit/context.ts';

/** What the events of hooks say of the site. */
export type Site = Pick<AuthContext, 'issuer' | 'log' | 'siteUrl'>;
