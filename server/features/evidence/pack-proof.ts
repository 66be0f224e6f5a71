import type { Db } from '#db/connection/client.ts';
import { readLinks, readPositions } from '#server/evidence/read-entries.ts';
import { linkOf, skipOf } from '#server/evidence/verifier/verify.mjs';
import { chunks } from '#server/lib/chunks.ts';
import type { PackScope } from './pack-scope.ts';

const LINKS_AT_ONCE = 1_000;

type About = { entries: number; question: unknown; madeAt: string; files: Readonly<Record<string, string>> };

/**
 * The chain's proof: its head, and the links that lead from there to each entry of the pack.
 * - A link names the one before and an earlier one, so a few lead across millions of entries.
 * - They also pass the entry whose hash someone holds.
 * - The first line is an object of its own; the links follow, one a line.
 */
export async function* proofOf(db: Db, scope: PackScope, about: About): AsyncGenerator<string> {
  const { position, hash } = scope.head;
  yield `${JSON.stringify({ format: 'fairlead evidence 1', head: { position, hash }, ...about })}\n`;
  const { proveEntry = 0 } = scope;
  let last = 0;
  const wayTo = (next: number): number[] => {
    const way = last > 0 ? linksBetween(next, last) : [];
    last = next;
    return way;
  };
  /** An entry of the pack is no link. Another one on the way is. */
  const passing = (next: number): number[] =>
    last < proveEntry && proveEntry < next ? [...wayTo(proveEntry), proveEntry] : [];
  for await (const positions of readPositions(db, scope))
    yield* linesFor(
      db,
      positions.flatMap((next) => [...passing(next), ...wayTo(next)]),
    );
  if (position > last) yield* linesFor(db, [...passing(position), ...wayTo(position), position]);
}

async function* linesFor(db: Db, positions: readonly number[]): AsyncGenerator<string> {
  for (const some of chunks(positions, LINKS_AT_ONCE))
    yield (await readLinks(db, some)).map((link) => `${linkOf(link)}\n`).join('');
}

/** The positions on the way from a later entry down to an earlier one, without both, in ascending order. */
export function linksBetween(later: number, earlier: number): number[] {
  const way: number[] = [];
  for (let at = later; ; ) {
    const skip = skipOf(at);
    at = skip >= earlier ? skip : at - 1;
    if (at <= earlier) return way.reverse();
    way.push(at);
  }
}
