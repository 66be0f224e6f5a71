import { createParser } from 'eventsource-parser';

/**
 * The data of each message of a stream of server-sent events, as it arrives. A comment, which is how a server shows that it is alive,
 * is an empty text. Ends with the stream, rejects when it breaks, and gives it up when it is returned from.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let events: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => events.push(data),
    onComment: () => events.push(''),
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events;
      events = [];
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
