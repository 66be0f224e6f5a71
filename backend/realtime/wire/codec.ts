import { z } from 'zod/mini';
import { decodeBroadcast, encodeBroadcast } from './binary-broadcast.ts';
import type { Frame, Version } from './frame.ts';
import { parseJson } from './parse-json.ts';

const text = z.nullish(z.string());
const AsObject = z.object({ topic: z.string(), event: z.string(), payload: z.unknown(), ref: text, join_ref: text });
const AsArray = z.tuple([text, text, z.string(), z.string(), z.unknown()]);

export const isVersion = (text: string): text is Version => text === '1.0.0' || text === '2.0.0';

/** Returns undefined for what is no message. */
export function decode(version: Version, data: Buffer, isBinary: boolean): Frame | undefined {
  if (isBinary) return version === '2.0.0' ? decodeBroadcast(data) : undefined;
  const given = parseJson(data.toString());
  if (version === '1.0.0') {
    const { data: found } = AsObject.safeParse(given);
    return found && { ...found, ref: found.ref ?? null, joinRef: found.join_ref ?? null };
  }
  const { data: found } = AsArray.safeParse(given);
  if (!found) return undefined;
  const [joinRef, ref, topic, event, payload] = found;
  return { joinRef: joinRef ?? null, ref: ref ?? null, topic, event, payload };
}

/** Returns undefined for bytes that a client of the older version cannot be sent. */
export function encode(version: Version, { joinRef, ref, topic, event, payload }: Frame): string | Buffer | undefined {
  const bytes = bytesOf(payload);
  if (bytes) return version === '2.0.0' ? encodeBroadcast(topic, bytes.event, bytes.payload) : undefined;
  return JSON.stringify(
    version === '1.0.0' ? { topic, event, payload, ref, join_ref: joinRef } : [joinRef, ref, topic, event, payload],
  );
}

function bytesOf(payload: unknown): { event: string; payload: Buffer } | undefined {
  if (typeof payload !== 'object' || payload === null || !('payload' in payload) || !('event' in payload)) return;
  const { event, payload: inner } = payload;
  return Buffer.isBuffer(inner) ? { event: String(event), payload: inner } : undefined;
}
