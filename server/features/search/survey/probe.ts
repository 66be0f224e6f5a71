import { sql } from 'kysely';
import { halve, type Rectangle } from '#area/rectangle.ts';
import { liesIn } from '#area/shape/relate.ts';
import type { Reprobe } from '#contract/work/search/coverage.ts';
import { forEachAtOnce } from '#server/lib/for-each-at-once.ts';
import { placesToSample, SAMPLE_WHERE_ANSWERS_DIFFER } from './estimates/calls-left.ts';
import { estimateMissed, type ProbedLeaf } from './estimates/estimate-missed.ts';
import { foundPlaces } from './found-places.ts';
import { look, MOST_PLACES_SHOWN } from './look.ts';
import { isOneAnswer, type Surveying } from './take-survey.ts';
import { addToTile, noteProbe, planProbes, splitTile, type Tile } from './tiles.ts';

/** Leaves with this many places are nearly full: what they hide, Google may have left out. */
const NEARLY_FULL = 50;
/** Looks at each leaf, if the first one shows that answers differ. */
const LOOKS = 5;
const AT_ONCE = 5;

type Leaf = Tile & { ids: string[] };

/**
 * Looks at some leaves again, one level deeper: at all nearly full ones, and at a random sample of the others.
 * - Where answers differ, the sample is larger, and each of these leaves is looked at several times.
 * - What is new is added to them. A failed look says nothing about its leaf.
 * @throws ProviderError when every further look would meet it as well.
 * @throws RunStopped
 */
export async function probe(surveying: Surveying): Promise<Reprobe> {
  const [leaves, seenBefore] = [await readLeaves(surveying), await readPlaces(surveying)];
  const full = leaves.filter(({ ids }) => ids.length >= NEARLY_FULL);
  const others = leaves.filter(({ ids }) => ids.length < NEARLY_FULL);
  const known = others.reduce((sum, { ids }) => sum + ids.length, 0);
  const shuffled = shuffle(others);
  let drawn = firstOf(shuffled, placesToSample(known));
  const probes = new Map<Leaf, SecondLook[]>(leaves.map((leaf) => [leaf, []]));
  const look = async (leaf: Leaf): Promise<void> => {
    const seen = await lookAgain(surveying, leaf).catch((error: unknown) => {
      if (isOneAnswer(error)) return undefined;
      throw error;
    });
    if (seen) probes.get(leaf)?.push(seen);
  };
  const { survey } = surveying;
  const { db } = surveying.context.deps;
  const first = [...full, ...drawn];
  await planProbes(db, survey.id, first.length);
  await forEachAtOnce(first, AT_ONCE, look);
  if ([...probes].some(([leaf, seen]) => seen.some((one) => hasNew(leaf, one)))) {
    const before = new Set(first);
    drawn = firstOf(shuffled, SAMPLE_WHERE_ANSWERS_DIFFER);
    const again = [...full, ...drawn].flatMap((leaf) =>
      Array.from({ length: before.has(leaf) ? LOOKS - 1 : LOOKS }, () => leaf),
    );
    await planProbes(db, survey.id, first.length + again.length);
    await forEachAtOnce(again, AT_ONCE, look);
  }
  for (const [leaf, seen] of probes) if (seen.some((one) => hasNew(leaf, one))) await keep(surveying, leaf, seen);
  const idsOf = (leaf: Leaf) => (probes.get(leaf) ?? []).flatMap(({ halves }) => halves.flat());
  const asProbed = (leaf: Leaf): ProbedLeaf => ({
    known: [...new Set([...leaf.ids, ...idsOf(leaf).filter((id) => seenBefore.has(id))])],
    probes: (probes.get(leaf) ?? []).map(({ halves }) => halves.flat()),
  });
  const wasSeen = (leaf: Leaf) => (probes.get(leaf) ?? []).length > 0;
  const rest = leaves.filter((leaf) => !wasSeen(leaf));
  return estimateMissed({
    nearlyFull: full.filter(wasSeen).map(asProbed),
    sample: drawn.filter(wasSeen).map(asProbed),
    restKnown: rest.reduce((sum, { ids }) => sum + ids.length, 0),
  });
}

/** What the two halves of a leaf held in one look. */
type SecondLook = { halves: [string[], string[]] };

async function readLeaves({ context, survey }: Surveying): Promise<Leaf[]> {
  const { rows } = await sql<Leaf>`
    select query, south, west, north, east, ids from app.survey_tiles
    where survey_id = ${survey.id} and state = 'complete' order by query, south, west
  `.execute(context.deps.db);
  return rows;
}

/** Reads all that was found so far. Some was seen in rectangles that have been cut since, and is in no leaf. */
async function readPlaces({ context, survey }: Surveying): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from (${foundPlaces(survey.id, [])}) as place
  `.execute(context.deps.db);
  return new Set(rows.map(({ id }) => id));
}

function shuffle(leaves: readonly Leaf[]): Leaf[] {
  const left = [...leaves];
  return leaves.flatMap(() => left.splice(Math.floor(Math.random() * left.length), 1));
}

/** The first of these leaves that hold `places` together. */
function firstOf(leaves: readonly Leaf[], places: number): Leaf[] {
  let held = 0;
  return leaves.filter(({ ids }) => {
    if (held >= places) return false;
    held += ids.length;
    return true;
  });
}

async function lookAgain({ context, finder, survey }: Surveying, leaf: Leaf): Promise<SecondLook> {
  const category = survey.queries[leaf.query] ?? '';
  const [one, other] = halve(leaf, 0) ?? [leaf];
  const first = await look(context, finder, category, one);
  const second = other ? await look(context, finder, category, other) : { ids: [], pages: 0 };
  await noteProbe(context.deps.db, survey.id, first.pages + second.pages);
  return { halves: [first.ids, second.ids] };
}

const hasNew = ({ ids }: Leaf, { halves }: SecondLook): boolean => {
  const known = new Set(ids);
  return halves.flat().some((id) => !known.has(id));
};

/** Keeps what was seen. A leaf that holds more than Google shows is cut, so that all of it can be bought. */
async function keep({ context, survey, area }: Surveying, leaf: Leaf, seen: readonly SecondLook[]): Promise<void> {
  const { db } = context.deps;
  const halves = halve(leaf, 0);
  const inHalf = (at: 0 | 1) => new Set(seen.flatMap((one) => one.halves[at]));
  const [first, second] = [inHalf(0), inHalf(1)];
  const all = new Set([...leaf.ids, ...first, ...second]);
  const isIn = (rectangle: Rectangle) => liesIn(rectangle, area.shape);
  if (all.size < MOST_PLACES_SHOWN || !halves)
    return addToTile(db, survey.id, leaf, { ids: [...all], inside: isIn(leaf) });
  // Where the others are is not known: they are counted with the first half.
  for (const id of leaf.ids) if (!second.has(id)) first.add(id);
  await splitTile(db, survey.id, leaf, [
    { ...halves[0], query: leaf.query, ids: [...first], inside: isIn(leaf) },
    { ...halves[1], query: leaf.query, ids: [...second], inside: isIn(halves[1]) },
  ]);
}
