import type { Frame } from './frame.ts';
import { parseJson } from './parse-json.ts';

// Version 2 writes broadcasts as: kind, the lengths of some texts in a byte each, the encoding, the texts, the payload.
const PUSH = 3;
const BROADCAST = 4;
const AS_BYTES = 0;
const AS_JSON = 1;

/** A broadcast from a client. Returns undefined for what is none. */
export function decodeBroadcast(data: Buffer): Frame | undefined {
  const [kind, ...lengths] = data.subarray(0, 6);
  const encoding = data[6];
  let at = 7;
  const take = (length = 0) => {
    at += length;
    return data.toString('utf8', at - length, at);
  };
  const [joinRef = '', ref = '', topic = '', event = ''] = lengths.map(take);
  if (kind !== PUSH || lengths.length < 5 || at > data.length) return undefined;
  const rest = data.subarray(at);
  const payload = encoding === AS_JSON ? parseJson(rest.toString()) : rest;
  if (payload === undefined || (encoding !== AS_JSON && encoding !== AS_BYTES)) return undefined;
  const body = { type: 'broadcast', event, payload };
  return { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload: body };
}

/** A broadcast of bytes to a client. */
export function encodeBroadcast(topic: string, event: string, payload: Buffer): Buffer {
  const texts = [Buffer.from(topic), Buffer.from(event)];
  const metadataLength = 0;
  const head = [BROADCAST, ...texts.map(({ length }) => length), metadataLength, AS_BYTES];
  return Buffer.concat([Buffer.from(head), ...texts, payload]);
}
