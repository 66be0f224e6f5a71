import type { PageContent } from './read-page.ts';

export type Structured = { emails: string[]; phones: string[]; profiles: string[] };

const DEEPEST = 12;
const MOST_NODES = 5_000;
/** Of one kind. */
const MOST = 200;
const KEYS: Readonly<Record<string, keyof Structured>> = {
  email: 'emails',
  telephone: 'phones',
  sameas: 'profiles',
};

const known = new WeakMap<PageContent, Structured>();

/** What a page's JSON-LD says of the business. Blocks that are no JSON are left out. Read once, however often it is asked for. */
export function readStructured(page: PageContent): Structured {
  const structured = known.get(page) ?? read(page);
  known.set(page, structured);
  return structured;
}

function read({ jsonLd }: PageContent): Structured {
  const found: Structured = { emails: [], phones: [], profiles: [] };
  let nodes = 0;
  const walk = (value: unknown, depth: number): void => {
    nodes += 1;
    if (depth > DEEPEST || typeof value !== 'object' || value === null) return;
    const parts = value as Record<string, unknown>;
    for (const key in parts) {
      if (nodes > MOST_NODES) return;
      const kind = KEYS[key.toLowerCase()];
      if (kind) found[kind].push(...textsOf(parts[key], MOST - found[kind].length));
      walk(parts[key], depth + 1);
    }
  };
  for (const block of jsonLd) walk(parseJson(block), 0);
  return found;
}

const textsOf = (value: unknown, most: number): string[] =>
  (Array.isArray(value) ? value : [value])
    .slice(0, most)
    .flatMap((part: unknown) => (typeof part === 'string' ? part.replace(/^(mailto|tel):/i, '') : []));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
