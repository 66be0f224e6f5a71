const DECLARED = /charset\s*=\s*["']?([\w:.-]+)/i;
/** Where a page has to say its encoding, in bytes. */
const HEAD = 2_048;

/** A page's bytes as text, by the encoding that it says, else UTF-8. Never throws: what cannot be read is marked. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const label =
    DECLARED.exec(contentType)?.[1] ?? DECLARED.exec(Buffer.from(bytes.subarray(0, HEAD)).toString('latin1'))?.[1];
  return decoderOf(label ?? 'utf-8').decode(bytes);
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
