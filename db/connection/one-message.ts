import pg from 'pg';

/** A statement as PostgreSQL takes it. */
export type Statement = { sql: string; parameters: readonly unknown[] };
/** What a statement brought. */
export type Brought = Pick<pg.QueryResult, 'command' | 'rowCount'> & { rows: unknown[] };

/** The part of pg's connection that says where a message ends. */
type Wire = { stream: { cork(): void; uncork(): void }; sync(): void };
/** What pg calls on whatever is submitted to a client. Its own queries do that too, without declaring it. */
type Submitted = {
  handleRowDescription(told: unknown): void;
  handleDataRow(told: unknown): void;
  handleCommandComplete(told: unknown, wire: Wire): void;
  handleEmptyQuery(wire: Wire): void;
  handleReadyForQuery(wire: Wire): void;
  handleError(error: unknown, wire: Wire): void;
};
type Part = Submitted & { prepare(wire: Wire): void };
type Done = { resolve(brought: Brought[]): void; reject(error: unknown): void };

const Query = pg.Query as unknown as new (
  config: { text: string; queryMode: 'extended'; types: pg.CustomTypesConfig },
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
  readonly #parts: readonly Part[];
  readonly #brought: Brought[] = [];
  readonly #done: Done;
  #failure: { error: unknown } | undefined;
  #at = 0;

  constructor(client: pg.ClientBase, statements: readonly Statement[], done: Done) {
    this.#done = done;
    const types = { getTypeParser: client.getTypeParser.bind(client) };
    this.#parts = statements.map(
      ({ sql: text, parameters }) =>
        new Query({ text, queryMode: 'extended', types }, parameters, (error, brought) => {
          if (error) this.#failure ??= { error };
          else this.#brought.push(brought);
        }),
    );
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    // As pg's queries see it: the message ends with the last of them.
    const within: Wire = Object.assign(Object.create(wire) as Wire, { sync: () => {} });
    wire.stream.cork();
    try {
      for (const part of this.#parts) {
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

  handleReadyForQuery(wire: Wire): void {
    if (!this.#failure) for (const part of this.#parts) part.handleReadyForQuery(wire);
    if (this.#failure) this.#done.reject(this.#failure.error);
    else this.#done.resolve(this.#brought);
  }

  handleError(error: unknown): void {
    this.#done.reject(error);
  }
}
