/** As the protocol of Realtime writes them. */
export type Frame = [joinRef: string | null, ref: string | null, topic: string, event: string, payload: object];

const [CONNECTING, OPEN, CLOSED] = [0, 1, 3];

/** Stands for the browser's sockets: never opens, until a test lets them open to a server that agrees to everything. */
export class TestSocket {
  /** All that were made, and the topics that were joined, the newest last. */
  static readonly sockets: TestSocket[] = [];
  static readonly joins: string[] = [];
  static #opens = false;

  /** From now on, and those that wait. */
  static open(): void {
    TestSocket.#opens = true;
    for (const socket of TestSocket.sockets) socket.#open();
  }
  /** As it was in the beginning. */
  static silence(): void {
    TestSocket.#opens = false;
    for (const socket of TestSocket.sockets) socket.close();
  }

  readyState = CONNECTING;
  onopen = () => {};
  onclose = (_event: object) => {};
  onmessage = (_event: { data: string }) => {};

  constructor() {
    TestSocket.sockets.push(this);
    if (TestSocket.#opens) queueMicrotask(() => this.#open());
  }
  #open() {
    if (this.readyState !== CONNECTING) return;
    this.readyState = OPEN;
    this.onopen();
  }
  send(text: string): void {
    const [joinRef, ref, topic, event] = JSON.parse(text) as Frame;
    if (event === 'phx_join') TestSocket.joins.push(topic);
    queueMicrotask(() => this.receive([joinRef, ref, topic, 'phx_reply', { status: 'ok', response: {} }]));
  }
  /** Hands the page what a server would say. */
  receive(frame: Frame): void {
    if (this.readyState === OPEN) this.onmessage({ data: JSON.stringify(frame) });
  }
  close(): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.onclose({});
  }
}
