/** A span of time in ms since 1970. The end does not belong to it. */
export type Span = { from: number; to: number };

/** What lies in both. Each is sorted and has no overlaps. */
export function overlap(one: readonly Span[], other: readonly Span[]): Span[] {
  const both: Span[] = [];
  for (let a = 0, b = 0; ; ) {
    const [first, second] = [one[a], other[b]];
    if (!first || !second) return both;
    const [from, to] = [Math.max(first.from, second.from), Math.min(first.to, second.to)];
    if (from < to) both.push({ from, to });
    if (first.to < second.to) a += 1;
    else b += 1;
  }
}

/** Sorted, with those joined that touch. */
export function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
}
