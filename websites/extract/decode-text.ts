const IN_HEADER = /charset\s*=\s*["']?([\w:.-]+)/i;
const IN_PAGE = /<meta\b[^>]{0,500}?charset\s*=\s*["']?\s*([\w:.-]+)/i;
/** Where a page has to say its encoding, in bytes. */
const HEAD = 2_048;

/**
 * A page's bytes as text. Never throws: what cannot be read is marked.
 * The encoding is that of the mark at its begin, else what its header says, else what it says itself, else UTF-8.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const label = markOf(bytes) ?? IN_HEADER.exec(contentType)?.[1] ?? labelWithin(bytes);
  return decoderOf(label ?? 'utf-8').decode(bytes);
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** A page whose tag could be read in single bytes is not in UTF-16, whatever it says. */
function labelWithin(bytes: Uint8Array): string | undefined {
  const label = IN_PAGE.exec(Buffer.from(bytes.subarray(0, HEAD)).toString('latin1'))?.[1];
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
