import type { Logger } from 'pino';
import type { CurrentUser } from './context.ts';

/**
 * Lets a request begin when its person has a turn, which ends with its answer.
 * - `how`: `only counted` for what waits for others, not for the database.
 * @throws RATE_LIMITED and CallerGone.
 */
export type Admit = (userId: string, how?: 'only counted') => Promise<void>;

/**
 * What middleware leaves for everything after it.
 * - `admit`: of requests below /api.
 * - `caller`: who asks, where another process has found that out and counted the request (server/apart/).
 */
export type HttpEnv = { Variables: { requestId: string; log: Logger; admit?: Admit; caller?: CurrentUser } };
