/**
 * Ends a request in a process that stops, because another goes on with what it waits for. Asked again with `query` beside what was sent
 * before, the request waits there.
 */
export class AskAgain extends Error {
  override name = 'AskAgain';
  readonly query: Readonly<Record<string, string>>;

  constructor(query: Readonly<Record<string, string>>) {
    super('This server is restarting. Send the same request again to the address in Location. The work continues.');
    this.query = query;
  }
}
