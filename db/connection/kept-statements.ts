import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { ClientBase } from 'pg';

const MARK = '/* kept */';

/**
 * Marks a statement that is asked again and again with the same text. A session parses it once, and plans it a few times at most.
 * - It names its columns. Once a migration has added a column, PostgreSQL refuses a kept `*`.
 */
export const KEPT = sql.raw(MARK);

/** The same for a text. */
export const kept = (text: string): string => `${MARK} ${text}`;

/** A session holds the plan of each. Texts that vary in spite of their mark would fill it. */
const MOST = 200;
const names = new Map<string, string>();
const keeping = new WeakSet<ClientBase>();

/** What pg knows of statements, by their names, and does not declare. */
type Known = { parsedStatements: Record<string, string>; submittedNamedStatements: Record<string, string> };
const knownOf = (client: ClientBase): Known => (client as unknown as { connection: Known }).connection;

/** What PostgreSQL says of a statement that it keeps no longer, or already, or whose columns have changed. */
const REFUSALS: ReadonlySet<unknown> = new Set(['26000', '42P05', '0A000']);

/** Has a new connection keep marked statements. Only for a session of its own: a pooler in transaction mode would lose them. */
export function keepStatements(client: ClientBase): void {
  keeping.add(client);
  const run = client.query.bind(client) as (...given: unknown[]) => unknown;
  const keepingQuery = (...given: unknown[]): unknown => {
    const [text, values] = given;
    const name = typeof text === 'string' ? nameToKeep(client, text) : undefined;
    if (name === undefined) return run(...given);
    return (run({ name, text, values }) as Promise<unknown>).catch((error: unknown) => {
      afterFailure(client, error);
      throw error;
    });
  };
  client.query = keepingQuery as typeof client.query;
}

/** The name under which this connection keeps a statement; undefined where it does not. */
export function nameToKeep(client: ClientBase, text: string): string | undefined {
  if (!keeping.has(client) || !text.includes(MARK)) return undefined;
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST) return known;
  const name = `kept_${hash('sha1', text, 'hex')}`;
  names.set(text, name);
  return name;
}

/** Notes that PostgreSQL has parsed a statement. */
export function noteParsed(client: ClientBase, name: string, text: string): void {
  const { parsedStatements, submittedNamedStatements } = knownOf(client);
  parsedStatements[name] = text;
  delete submittedNamedStatements[name];
}

/** Forgets statements that were sent and not parsed, or else each next use would count on them. */
export function forgetUnparsed(client: ClientBase, sent: readonly string[]): void {
  const { submittedNamedStatements } = knownOf(client);
  for (const name of sent) delete submittedNamedStatements[name];
}

/** A connection that has lost a statement keeps none from then on. */
export function afterFailure(client: ClientBase, error: unknown): void {
  if (REFUSALS.has((error as { code?: unknown }).code)) keeping.delete(client);
}
