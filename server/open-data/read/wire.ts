import type { RawPlace } from '#server/open-data/open-place.ts';
import { KNOWN_SOURCES } from '#server/open-data/sources.ts';

/** Values of a file, whose shape no one promises. */
export type Wire = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : {};
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A place of Overture, as schema v1 (`categories`) or v2 (`taxonomy`, `basic_category`) has it. */
export function readOverture(wire: Wire, latitude: unknown, longitude: unknown): RawPlace {
  const [taxonomy, categories] = [asObject(wire.taxonomy), asObject(wire.categories)];
  const address = asObject(asList(wire.addresses)[0]);
  const licenses = asList(wire.sources).flatMap((source) => asObject(source).license ?? []);
  return {
    id: wire.id,
    license: [...new Set(licenses.map(String))].sort().join(' AND ') || KNOWN_SOURCES.overture.license,
    name: asObject(wire.names).primary,
    categories: [
      taxonomy.primary,
      categories.primary,
      wire.basic_category,
      ...asList(taxonomy.alternates),
      ...asList(categories.alternate),
    ],
    phone: asList(wire.phones)[0],
    website: asList(wire.websites)[0],
    email: asList(wire.emails)[0],
    address: {
      street: address.freeform,
      city: address.locality,
      region: address.region,
      postcode: address.postcode,
    },
    latitude,
    longitude,
    confidence: wire.confidence,
    closed: ['closed', 'permanently_closed'].includes(String(wire.operating_status)),
  };
}

/** A place of Foursquare OS Places. */
export const readFoursquare = (wire: Wire): RawPlace => ({
  id: wire.fsq_place_id,
  license: KNOWN_SOURCES.foursquare.license,
  name: wire.name,
  categories: asList(wire.fsq_category_labels),
  phone: wire.tel,
  website: wire.website,
  email: wire.email,
  address: { street: wire.address, city: wire.locality, region: wire.region, postcode: wire.postcode },
  latitude: wire.latitude,
  longitude: wire.longitude,
  closed: Boolean(wire.date_closed),
  closedOn: wire.date_closed,
});

const KINDS = ['amenity', 'shop', 'office', 'craft', 'healthcare', 'tourism', 'leisure'] as const;

/** What stands before the kind of a place that is this no more. */
const ONCE = ['disused', 'abandoned', 'was', 'closed', 'old', 'former', 'demolished', 'removed', 'razed', 'ruins'];
const wasSome = (tags: Wire): boolean =>
  KINDS.some((kind) => tags[kind] === 'vacant' || ONCE.some((once) => `${once}:${kind}` in tags));
const isGone = ({ disused, abandoned }: Wire): boolean => disused === 'yes' || abandoned === 'yes';

/** A place with the tags of OpenStreetMap, which AllThePlaces uses too. */
export function readTags(
  tags: Wire,
  id: unknown,
  license: string,
  [longitude, latitude]: readonly unknown[],
): RawPlace {
  const kinds = KINDS.flatMap((kind) => String(tags[kind] ?? '').split(';')).filter(
    (kind) => kind && kind !== 'vacant',
  );
  const house = [tags['addr:housenumber'], tags['addr:street']].filter(Boolean).join(' ');
  return {
    id,
    license,
    name: tags.name ?? tags.brand,
    categories: kinds.filter((kind) => kind !== 'yes'),
    phone: first(tags.phone ?? tags['contact:phone']),
    website: first(tags.website ?? tags['contact:website'] ?? tags.url),
    email: first(tags.email ?? tags['contact:email']),
    address: {
      street: house || tags['addr:street_address'] || tags['addr:full'],
      city: tags['addr:city'],
      region: tags['addr:state'],
      postcode: tags['addr:postcode'],
    },
    latitude,
    longitude,
    closed: tags.end_date !== undefined || isGone(tags) || (kinds.length === 0 && wasSome(tags)),
    closedOn: tags.end_date,
  };
}

const first = (values: unknown): unknown => (typeof values === 'string' ? values.split(';')[0] : values);
