/** Ends lines as the format of server-sent events has it. */
const LINE_END = /\r\n|\n|\r(?!$)/;

/**
 * The data of each message of a stream of server-sent events, as it arrives. A comment, which is how a server shows that it is alive,
 * is an empty text. Ends with the stream, rejects when it breaks, and gives it up when it is returned from.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(LINE_END);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith(':')) yield '';
        else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
        else if (line === '' && data.length > 0) {
          yield data.join('\n');
          data = [];
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
