import type { Logger } from 'pino';

/**
 * Lets a request begin when its person has a turn, which ends with its answer.
 * - `how`: `only counted` for what waits for others, not for the database.
 * - Throws RATE_LIMITED and CallerGone.
 */
export type Admit = (userId: string, how?: 'only counted') => Promise<void>;

/** What middleware leaves for everything after it. `admit`: of requests below /api. */
export type HttpEnv = { Variables: { requestId: string; log: Logger; admit?: Admit } };
