/** SQL text with `$n` placeholders, and what they stand for. */
export type Statement = { text: string; values: unknown[] };

/** Collects values; `add` returns the placeholder to write instead of the value. */
export type Parameters = { values: unknown[]; add(value: unknown): string };

export function createParameters(): Parameters {
  const values: unknown[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}

/** The alias of the addressed table in every statement; embedded ones have a number behind it. */
export const TARGET = 't';
