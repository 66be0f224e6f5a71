import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect, PostgresDriver } from 'kysely';
import type pg from 'pg';
import type { DB } from '#db/types.gen.ts';
import type { Db } from './db.ts';

/** A process that says nothing for this long within a transaction is taken for frozen or cut off, in ms. */
const SILENCE_MS = 10_000;

const partners = new WeakMap<Db, Db>();

/** Returns the same tables over the same connections, where PostgreSQL undoes a transaction whose process falls silent. */
export function guardedOf(db: Db): Db {
  const partner = partners.get(db);
  if (!partner) throw new Error('Transactions begin on what connect() has made, and not within others.');
  return partner;
}

/** Prepares `guardedOf` for what queries through `pool`. */
export function allowGuarded(db: Db, pool: pg.Pool): void {
  partners.set(db, new Kysely<DB>({ dialect: new GuardedDialect({ pool }) }));
}

class GuardedDialect extends PostgresDialect {
  readonly #pool: pg.Pool;

  constructor({ pool }: { pool: pg.Pool }) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): PostgresDriver {
    return new GuardedDriver({ pool: this.#pool });
  }
}

class GuardedDriver extends PostgresDriver {
  /** Both in one message, because PostgreSQL is waited for before each. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(
        CompiledQuery.raw(`begin; set local idle_in_transaction_session_timeout = ${SILENCE_MS}`),
      );
    } catch (error) {
      // The transaction may have begun, and the connection is used again.
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
      throw error;
    }
  }
}
