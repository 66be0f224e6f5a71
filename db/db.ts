import type { Kysely } from 'kysely';
import type { DB } from './types.gen.ts';

/** Typed access to our tables. */
export type Db = Kysely<DB>;
