import type { Kysely } from 'kysely';
import type { DB } from '#db/types.gen.ts';

/** Typed access to our tables. */
export type Db = Kysely<DB>;
