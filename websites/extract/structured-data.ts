import type { PageContent } from './read-page.ts';

export type Structured = { emails: string[]; phones: string[]; profiles: string[] };

const DEEPEST = 12;
const MOST_NODES = 5_000;
const KEYS: Readonly<Record<string, keyof Structured>> = {
  email: 'emails',
  telephone: 'phones',
  sameas: 'profiles',
};

/** What a page's JSON-LD says of the business. Blocks that are no JSON are left out. */
export function readStructured({ jsonLd }: PageContent): Structured {
  const found: Structured = { emails: [], phones: [], profiles: [] };
  let nodes = 0;
  const walk = (value: unknown, depth: number): void => {
    nodes += 1;
    if (depth > DEEPEST || nodes > MOST_NODES || typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      const list = KEYS[key.toLowerCase()];
      if (list) found[list].push(...textsOf(part).map((text) => text.replace(/^(mailto|tel):/i, '')));
      walk(part, depth + 1);
    }
  };
  for (const block of jsonLd) walk(parseJson(block), 0);
  return found;
}

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((part): part is string => typeof part === 'string');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
