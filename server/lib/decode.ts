/** The longest line that is looked at as one, in bytes. */
const LONGEST_LINE = 1024 * 1024;
/** The byte order mark of UTF-8. */
const MARK: readonly number[] = [0xef, 0xbb, 0xbf];
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** Characters that texts hold few of, if any, and pictures and packed files every tenth. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
const CONTROL = /[\x01-\x08\x0e-\x1f]/g;
export const isBinary = (text: string): boolean => (text.match(CONTROL)?.length ?? 0) > text.length * 0.05;

export type Decoded = { text: string; encoding: string };

const named = (encoding: string, label: string) => {
  const decoder = new TextDecoder(label);
  return { encoding, decode: (bytes?: Uint8Array) => decoder.decode(bytes, { stream: bytes !== undefined }) };
};

/**
 * Decodes a stream of bytes. Encodings are told apart by a byte order mark, by the zeros of UTF-16, and by what is valid UTF-8.
 * A line that is no UTF-8 is read as Windows-1252, whatever the lines around it are.
 */
export async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Decoded> {
  // PostgreSQL cannot store a zero, and no one means one. A mark stands where files were put behind each other: before a quote it would hide it.
  for await (const { text, encoding } of decodeAll(chunks))
    yield { text: text.replaceAll(/[\0\ufeff]/g, ''), encoding };
}

async function* decodeAll(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Decoded> {
  let decoder: { encoding: string; decode(bytes?: Uint8Array): string } | undefined;
  let kept: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    if (decoder === undefined) {
      kept = join(kept, chunk);
      // UTF-16 shows in the first characters.
      if (kept.length < 64) continue;
      decoder = decoderOf(kept);
      const text = decoder.decode(kept);
      kept = new Uint8Array();
      if (text) yield { text, encoding: decoder.encoding };
      continue;
    }
    const text = decoder.decode(chunk);
    if (text) yield { text, encoding: decoder.encoding };
  }
  decoder ??= decoderOf(kept);
  const text = (kept.length > 0 ? decoder.decode(kept) : '') + decoder.decode();
  if (text) yield { text, encoding: decoder.encoding };
}

function decoderOf(head: Uint8Array) {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return named('UTF-16LE', 'utf-16le');
  if (first === 0xfe && second === 0xff) return named('UTF-16BE', 'utf-16be');
  const sample = head.subarray(0, 256);
  const zeros = (from: number) => sample.filter((byte, at) => at % 2 === from && byte === 0).length;
  const many = sample.length * 0.3;
  if (zeros(1) > many && zeros(0) === 0) return named('UTF-16LE', 'utf-16le');
  if (zeros(0) > many && zeros(1) === 0) return named('UTF-16BE', 'utf-16be');
  return byLine();
}

const startsWithMark = (bytes: Uint8Array): boolean => MARK.every((byte, at) => bytes[at] === byte);

/** UTF-8, but for lines that are none. */
function byLine() {
  const strict = new TextDecoder('utf-8', { fatal: true });
  const western = new TextDecoder('windows-1252');
  let rest: Uint8Array = new Uint8Array();
  const line = (bytes: Uint8Array): string => {
    try {
      return strict.decode(bytes);
    } catch {
      decoder.encoding = 'Windows-1252';
      return western.decode(startsWithMark(bytes) ? bytes.subarray(MARK.length) : bytes);
    }
  };
  const lines = (bytes: Uint8Array): string => {
    try {
      return strict.decode(bytes);
    } catch {
      let text = '';
      for (const one of linesOf(bytes)) text += line(one);
      return text;
    }
  };
  const decoder = {
    encoding: 'UTF-8',
    decode(bytes?: Uint8Array): string {
      if (bytes === undefined) {
        const text = lines(rest);
        rest = new Uint8Array();
        return text;
      }
      const all = join(rest, bytes);
      const end = Math.max(all.lastIndexOf(LINE_FEED), all.lastIndexOf(CARRIAGE_RETURN)) + 1;
      if (end === 0 && all.length < LONGEST_LINE) {
        rest = all;
        return '';
      }
      const whole = end || wholeCharacters(all);
      rest = all.slice(whole);
      return lines(all.subarray(0, whole));
    },
  };
  return decoder;
}

/** Lines with their ends. What ends with both is one line, and an empty one of the second. */
function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  const next = (byte: number, from: number) => bytes.indexOf(byte, from) + 1 || bytes.length;
  // Each end is looked for once: a file may have only one kind.
  let [feed, carriage] = [next(LINE_FEED, 0), next(CARRIAGE_RETURN, 0)];
  for (let from = 0; from < bytes.length; ) {
    if (feed <= from) feed = next(LINE_FEED, from);
    if (carriage <= from) carriage = next(CARRIAGE_RETURN, from);
    const end = Math.min(feed, carriage);
    yield bytes.subarray(from, end);
    from = end;
  }
}

/** How many bytes there are up to the last character of UTF-8 that is whole. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes.at(-back) ?? 0;
    if (byte < 0x80) break;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
    if (length > 0) return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function join(before: Uint8Array, after: Uint8Array): Uint8Array {
  if (before.length === 0) return after;
  const both = new Uint8Array(before.length + after.length);
  both.set(before);
  both.set(after, before.length);
  return both;
}
