/** Headers of which each is there once, whatever its case: one that is taken gets a number. */
export function uniqueHeaders(headers: readonly string[], others: readonly string[] = []): string[] {
  const taken = new Set(others.map((header) => header.toLowerCase()));
  return headers.map((written) => {
    let header = written;
    for (let copy = 2; taken.has(header.toLowerCase()); copy += 1) header = `${written} (${copy})`;
    taken.add(header.toLowerCase());
    return header;
  });
}
