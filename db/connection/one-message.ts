import pg from 'pg';
import { afterFailure, forgetUnparsed, nameToKeep, noteParsed } from './kept-statements.ts';

/** A statement as PostgreSQL takes it. */
export type Statement = { sql: string; parameters: readonly unknown[] };
/** What a statement brought. */
export type Brought = Pick<pg.QueryResult, 'command' | 'rowCount'> & { rows: unknown[] };

/** The part of pg's connection that says where a message ends. */
type Wire = {
  stream: { cork(): void; uncork(): void };
  sync(): void;
  on(event: 'parseComplete', hear: () => void): void;
  off(event: 'parseComplete', hear: () => void): void;
};
/** What pg calls on whatever is submitted to a client. Its own queries do that too, without declaring it. */
type Submitted = {
  handleRowDescription(told: unknown): void;
  handleDataRow(told: unknown): void;
  handleCommandComplete(told: unknown, wire: Wire): void;
  handleEmptyQuery(wire: Wire): void;
  handleReadyForQuery(wire: Wire): void;
  handleError(error: unknown, wire: Wire): void;
};
type Part = Submitted & {
  name: string | undefined;
  text: string;
  hasBeenParsed(wire: Wire): unknown;
  prepare(wire: Wire): void;
};
type Done = { resolve(brought: Brought[]): void; reject(error: unknown): void };

const Query = pg.Query as unknown as new (
  config: { text: string; name: string | undefined; queryMode: 'extended'; types: pg.CustomTypesConfig },
  values: readonly unknown[],
  done: (error: unknown, brought: Brought) => void,
) => Part;

/**
 * Sends statements in one message and waits once. PostgreSQL does them in turn, and none behind one that fails.
 * @throws what that one failed with.
 */
export function inOneMessage(client: pg.ClientBase, statements: readonly Statement[]): Promise<Brought[]> {
  return new Promise((resolve, reject) => {
    const message = new Message(client, statements, { resolve, reject });
    const taken: unknown = client.query(message);
    // A caller who has gone is refused before anything is sent.
    if (taken instanceof Promise) taken.catch(reject);
  });
}

/** Each statement is a query of pg's own, which reads its rows. Their answers come in the order in which they were sent. */
class Message implements Submitted, pg.Submittable {
  readonly #client: pg.ClientBase;
  readonly #parts: readonly Part[];
  readonly #brought: Brought[] = [];
  readonly #done: Done;
  #failure: { error: unknown } | undefined;
  #at = 0;
  /** Parts that PostgreSQL is still to parse. */
  readonly #toParse: Part[] = [];

  constructor(client: pg.ClientBase, statements: readonly Statement[], done: Done) {
    this.#client = client;
    this.#done = done;
    const types = { getTypeParser: client.getTypeParser.bind(client) };
    this.#parts = statements.map(
      ({ sql: text, parameters }) =>
        new Query(
          { text, name: nameToKeep(client, text), queryMode: 'extended', types },
          parameters,
          (error, brought) => {
            if (error) this.#failure ??= { error };
            else this.#brought.push(brought);
          },
        ),
    );
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    // As pg's queries see it: the message ends with the last of them.
    const within: Wire = Object.assign(Object.create(wire) as Wire, { sync: () => {} });
    wire.on('parseComplete', this.#parsed);
    wire.stream.cork();
    try {
      for (const part of this.#parts) {
        if (!part.hasBeenParsed(wire)) this.#toParse.push(part);
        part.prepare(within);
        // A value that cannot be sent. Nothing behind it may be done.
        if (this.#failure) break;
      }
    } finally {
      wire.sync();
      wire.stream.uncork();
    }
  }

  handleRowDescription(told: unknown): void {
    this.#parts[this.#at]?.handleRowDescription(told);
  }

  handleDataRow(told: unknown): void {
    this.#parts[this.#at]?.handleDataRow(told);
  }

  handleCommandComplete(told: unknown, wire: Wire): void {
    this.#parts[this.#at]?.handleCommandComplete(told, wire);
    this.#at += 1;
  }

  handleEmptyQuery(): void {
    this.#at += 1;
  }

  /** A statement is kept from here on, even when a later one fails. */
  readonly #parsed = (): void => {
    const part = this.#toParse.shift();
    if (part?.name !== undefined) noteParsed(this.#client, part.name, part.text);
  };

  handleReadyForQuery(wire: Wire): void {
    wire.off('parseComplete', this.#parsed);
    if (!this.#failure) for (const part of this.#parts) part.handleReadyForQuery(wire);
    if (this.#failure) this.#fail(this.#failure.error);
    else this.#done.resolve(this.#brought);
  }

  handleError(error: unknown, wire: Wire): void {
    wire.off('parseComplete', this.#parsed);
    this.#fail(error);
  }

  #fail(error: unknown): void {
    const unparsed = this.#toParse.flatMap(({ name }) => name ?? []);
    forgetUnparsed(this.#client, unparsed);
    afterFailure(this.#client, error);
    this.#done.reject(error);
  }
}
