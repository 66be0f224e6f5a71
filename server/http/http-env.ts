import type { Logger } from 'pino';

/** What the first middleware leaves for everybody after it. */
export type HttpEnv = { Variables: { requestId: string; log: Logger } };
