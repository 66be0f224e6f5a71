import type { LiveMessage } from '#contract/live.ts';

/** A reader who leaves more than this unread, in bytes, is cut off; it comes back and reads everything again. */
const MOST_UNREAD_BYTES = 1_000_000;

const encoder = new TextEncoder();

/** An answer of server-sent events. */
export type EventStream = {
  body: ReadableStream<Uint8Array>;
  send(message: LiveMessage): void;
  /** Shows that the stream is alive, to the reader and to whatever lies between. */
  beat(): void;
  close(): void;
};

/** `onEnd` is called once, whoever ends the stream. */
export function openEventStream(onEnd: () => void): EventStream {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const end = () => {
    if (!controller) return;
    controller = undefined;
    onEnd();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own;
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MOST_UNREAD_BYTES }),
  );
  const close = () => {
    controller?.close();
    end();
  };
  const write = (text: string) => {
    controller?.enqueue(encoder.encode(text));
    if (controller && (controller.desiredSize ?? 0) <= 0) close();
  };
  return {
    body,
    send: (message) => write(`data: ${JSON.stringify(message)}\n\n`),
    beat: () => write(':\n\n'),
    close,
  };
}
