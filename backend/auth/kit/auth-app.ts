import type { Hono } from 'hono';
import type { Caller } from './caller.ts';

/** `isService`: the request came with the secret key, and in no one else's name. */
export type AuthApp = Hono<{ Variables: { caller: Caller; isService: boolean } }>;
