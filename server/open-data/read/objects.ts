import { bytesOf } from './bytes.ts';
import { UnreadableFile } from './chunk.ts';

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [34, 92, 123, 125, 91, 93];
/** A feature of more than this is no place. */
const LONGEST = 4 * 1024 * 1024;

/**
 * The JSON objects of a file that lie `depth` brackets deep, one by one: 0 for a sequence, 2 for the features of a collection.
 * Reads byte by byte and keeps no more than one object. Anything longer than 4 MiB is returned as ''.
 * @throws UnreadableFile at the end of a file that was cut off.
 */
export async function* objectsOf(path: string, depth: number): AsyncGenerator<string> {
  let [level, begin, inText, escaped, tooLong] = [0, -1, false, false, false];
  let kept: Buffer[] = [];
  for await (const part of bytesOf(path)) {
    begin = kept.length > 0 ? 0 : -1;
    for (let at = 0; at < part.length; at += 1) {
      const byte = part[at];
      if (escaped) escaped = false;
      else if (inText) {
        if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inText = false;
      } else if (byte === QUOTE) inText = true;
      else if (byte === OPEN || byte === OPEN_LIST) {
        if (level === depth && byte === OPEN) begin = at;
        level += 1;
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        level -= 1;
        if (level === depth && byte === CLOSE && begin >= 0) {
          yield tooLong ? '' : Buffer.concat([...kept, part.subarray(begin, at + 1)]).toString('utf8');
          [kept, begin, tooLong] = [[], -1, false];
        }
      }
    }
    if (begin < 0) continue;
    kept.push(tooLong ? Buffer.alloc(0) : part.subarray(begin));
    tooLong ||= kept.reduce((sum, one) => sum + one.length, 0) > LONGEST;
    if (tooLong) kept = [Buffer.alloc(0)];
  }
  if (level !== 0 || inText) throw new UnreadableFile(`${path} ends in the middle. Is it complete?`);
}
