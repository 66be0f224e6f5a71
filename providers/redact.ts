const secretShapes = [/AIza[0-9A-Za-z_-]{30,}/g, /KeapAK-[0-9a-f]+/gi, /sb_secret_\S+/g, /eyJ[\w-]+\.[\w-]+\.[\w-]+/g];

/** Replaces the given secrets, as they are and URL-encoded, and everything shaped like a known key by "[redacted]". */
export function redact(text: string, secrets: readonly string[] = []): string {
  let safe = text;
  const longestFirst = secrets.filter((secret) => secret.length > 0).sort((a, b) => b.length - a.length);
  for (const secret of longestFirst) {
    safe = safe.replaceAll(secret, '[redacted]').replaceAll(encodeURIComponent(secret), '[redacted]');
  }
  for (const shape of secretShapes) safe = safe.replace(shape, '[redacted]');
  return safe;
}

/** A provider's own words, redacted, on one line and at most 200 characters long: fit for a message or a log. */
export function quoteVendor(text: string, secrets: readonly string[] = []): string {
  const line = redact(text, secrets).replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
