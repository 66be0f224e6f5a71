import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import type { DB } from '#db/types.gen.ts';
import type { Db } from './db.ts';
import { type Brought, inOneMessage, type Statement } from './one-message.ts';

/** A process that says nothing for this long within a transaction is taken for frozen or cut off, in ms. */
const SILENCE_MS = 10_000;

const raw = (sql: string): Statement => ({ sql, parameters: [] });
const BEGIN = [raw('begin'), raw(`set local idle_in_transaction_session_timeout = ${SILENCE_MS}`)];
const COMMIT = raw('commit');

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

  override createDriver(): Driver {
    return new GuardedDriver(this.#pool);
  }
}

class GuardedDriver implements Driver {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<GuardedConnection> {
    return new GuardedConnection(await this.#pool.connect());
  }

  async beginTransaction(connection: GuardedConnection): Promise<void> {
    connection.begin();
  }

  commitTransaction(connection: GuardedConnection): Promise<void> {
    return connection.commit();
  }

  rollbackTransaction(connection: GuardedConnection): Promise<void> {
    return connection.rollback();
  }

  async releaseConnection(connection: GuardedConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

/**
 * A connection whose transactions begin with the message of their first statements, and can end with that of their last ones.
 * PostgreSQL is waited for once for each message.
 */
export class GuardedConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  #state: 'free' | 'to begin' | 'begun' | 'committed' = 'free';
  #isBroken = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  begin(): void {
    this.#state = 'to begin';
  }

  /** Does statements in one message. `last`: and commits, so that nothing may come after them. */
  async send(statements: readonly Statement[], { last = false } = {}): Promise<Brought[]> {
    if (this.#state === 'committed') throw new Error('The transaction has been committed with its last statements.');
    const before = this.#state === 'to begin' ? BEGIN : [];
    // Whatever becomes of the message: it may have begun.
    if (this.#state === 'to begin') this.#state = 'begun';
    const brought = await inOneMessage(this.#client, [...before, ...statements, ...(last ? [COMMIT] : [])]);
    if (last) {
      this.#state = 'committed';
      refuseRollback(brought.at(-1)?.command);
    }
    return brought.slice(before.length, before.length + statements.length);
  }

  async executeQuery<R>(statement: CompiledQuery): Promise<QueryResult<R>> {
    const [brought] = await this.send([statement]);
    const { command, rowCount, rows = [] } = brought ?? {};
    const counts = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
    return { rows: rows as R[], ...(counts ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
  }

  // biome-ignore lint/correctness/useYield: a transaction that waits for nothing but the database reads no stream
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('Streams are read outside of guarded transactions.');
  }

  async commit(): Promise<void> {
    if (this.#state === 'begun') {
      const { command } = await this.#client.query('commit');
      this.#state = 'free';
      refuseRollback(command);
    }
    this.#state = 'free';
  }

  async rollback(): Promise<void> {
    const state = this.#state;
    this.#state = 'free';
    if (state !== 'begun') return;
    try {
      await this.#client.query('rollback');
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }

  release(): void {
    // A commit or rollback that was never sent has left its transaction open.
    this.#client.release(this.#isBroken || this.#state === 'begun');
  }
}

/** @throws AbortedTransactionError for what PostgreSQL calls the commit of a transaction that a failure has aborted. */
function refuseRollback(command: string | undefined): void {
  if (command === 'ROLLBACK') throw new AbortedTransactionError();
}
