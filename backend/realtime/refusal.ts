/** Something that Realtime does not do, in its words: `Code: what is wrong`. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }

  /** As it stands in a reply. */
  get reason(): string {
    return `${this.code}: ${this.message}`;
  }
}
