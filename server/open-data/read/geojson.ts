import type { RawPlace } from '#server/open-data/open-place.ts';
import { KNOWN_SOURCES } from '#server/open-data/sources.ts';
import { type Chunk, type Frame, type OpenFile, ROWS_AT_ONCE, UnreadableFile } from './chunk.ts';
import { inFrame } from './in-frame.ts';
import { objectsOf } from './objects.ts';
import { asList, asObject, readOverture, readTags, type Wire } from './wire.ts';

type Kind = 'overture' | 'alltheplaces' | 'openstreetmap';

/**
 * Looks at GeoJSON, or at a sequence of its features.
 * @throws UnreadableFile for features of no source that we know.
 */
export async function openGeoJson(path: string, head: string): Promise<OpenFile> {
  const depth = /"type"\s*:\s*"FeatureCollection"/.test(head) || /^[^[]*"features"\s*:\s*\[/.test(head) ? 2 : 0;
  for await (const text of objectsOf(path, depth)) {
    const feature = featureOf(text);
    const kind = feature && kindOf(feature);
    if (!kind) continue;
    return {
      source: kind,
      release: /\d{4}-\d\d-\d\d/.exec(path)?.[0],
      read: (after, frame) => chunksOf(path, depth, kind, after, frame),
    };
  }
  throw new UnreadableFile(
    `${path} has no features of Overture Places, AllThePlaces or OpenStreetMap. OpenStreetMap needs ids such as node/1.`,
  );
}

async function* chunksOf(
  path: string,
  depth: number,
  kind: Kind,
  after: number,
  frame: Frame | undefined,
): AsyncGenerator<Chunk> {
  let chunk: Chunk = { done: 0, places: [], unusable: 0 };
  for await (const text of objectsOf(path, depth)) {
    chunk.done += 1;
    if (chunk.done <= after) continue;
    const feature = featureOf(text);
    const point = feature && pointOf(asObject(feature.geometry));
    if (!feature || !point) chunk.unusable += 1;
    else if (!frame || inFrame(frame, point[0], point[1])) chunk.places.push(placeOf(kind, feature, point));
    if ((chunk.done - after) % ROWS_AT_ONCE > 0) continue;
    yield chunk;
    chunk = { done: chunk.done, places: [], unusable: 0 };
  }
  yield chunk;
}

function featureOf(text: string): Wire | undefined {
  try {
    const feature = asObject(JSON.parse(text));
    return feature.type === 'Feature' ? feature : undefined;
  } catch {
    return undefined;
  }
}

const OSM_ID = /^(node|way|relation|n|w|r)\/?\d+$/;
const idOf = (feature: Wire): unknown => {
  const tags = asObject(feature.properties);
  return feature.id ?? tags['@id'] ?? tags.osm_id ?? tags.id;
};

function kindOf(feature: Wire): Kind | undefined {
  const tags = asObject(feature.properties);
  if (tags['@spider'] !== undefined) return 'alltheplaces';
  if (tags.names !== undefined && tags.sources !== undefined) return 'overture';
  return OSM_ID.test(String(idOf(feature))) ? 'openstreetmap' : undefined;
}

function placeOf(kind: Kind, feature: Wire, point: readonly [number, number]): RawPlace {
  const tags = asObject(feature.properties);
  if (kind === 'overture') return readOverture({ id: idOf(feature), ...tags }, point[1], point[0]);
  const id = kind === 'alltheplaces' ? (feature.id ?? `${String(tags['@spider'])}:${String(tags.ref)}`) : idOf(feature);
  return readTags(tags, id, KNOWN_SOURCES[kind].license, point);
}

/** A point, or the middle of the frame around anything else. */
function pointOf(geometry: Wire): readonly [number, number] | undefined {
  const numbers = positionsOf(geometry.coordinates);
  if (numbers.length === 0) return undefined;
  const [xs, ys] = [numbers.map(([x]) => x), numbers.map(([, y]) => y)];
  const middle = (values: number[]) =>
    (values.reduce((a, b) => Math.min(a, b)) + values.reduce((a, b) => Math.max(a, b))) / 2;
  return [middle(xs), middle(ys)];
}

function positionsOf(value: unknown): (readonly [number, number])[] {
  const list = asList(value);
  const [x, y] = list;
  if (typeof x === 'number' && typeof y === 'number') return [[x, y]];
  return list.flatMap(positionsOf);
}
