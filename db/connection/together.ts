import type { CompiledQuery, RawBuilder } from 'kysely';
import { GuardedConnection } from './guarded-connections.ts';
import type { Tx } from './tx.ts';

type One = RawBuilder<unknown> | CompiledQuery<unknown>;
type Rows<Statements extends readonly One[]> = {
  [Place in keyof Statements]: Statements[Place] extends RawBuilder<infer Row> | CompiledQuery<infer Row>
    ? Row[]
    : never;
};

/**
 * Does statements of a guarded transaction in one message, in this order, and returns the rows of each. PostgreSQL is waited for once.
 * What one of them needs to know of another, it has to ask in SQL.
 */
export const together = <const Statements extends readonly One[]>(
  tx: Tx,
  statements: Statements,
): Promise<Rows<Statements>> => send(tx, statements, false);

/** The same for the last statements of a transaction: it commits in the same message. */
export const togetherAtLast = <const Statements extends readonly One[]>(
  tx: Tx,
  statements: Statements,
): Promise<Rows<Statements>> => send(tx, statements, true);

async function send<const Statements extends readonly One[]>(
  tx: Tx,
  statements: Statements,
  last: boolean,
): Promise<Rows<Statements>> {
  const compiled = statements.map((one) => ('compile' in one ? one.compile(tx) : one));
  return tx.getExecutor().provideConnection(async (connection) => {
    if (!(connection instanceof GuardedConnection))
      throw new Error('Only guarded transactions send statements together.');
    const brought = await connection.send(compiled, { last });
    return brought.map(({ rows }) => rows) as Rows<Statements>;
  });
}
