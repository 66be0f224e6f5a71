import type { Logger } from 'pino';
import type { Admit } from '#server/limits/person-turns.ts';

/** What middleware leaves for everyone after it. `admit`: of requests below /api. */
export type HttpEnv = { Variables: { requestId: string; log: Logger; admit?: Admit } };
