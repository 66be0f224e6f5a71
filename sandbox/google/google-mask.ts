/** Fields that cost nothing, and those that make a search an Enterprise one; all other fields of a place are Pro. */
const freeFields = new Set(['id', 'name', 'attributions', 'movedPlace', 'movedPlaceId']);
const enterpriseFields = new Set([
  'nationalPhoneNumber',
  'internationalPhoneNumber',
  'websiteUri',
  'rating',
  'userRatingCount',
  'priceLevel',
  'regularOpeningHours',
  'currentOpeningHours',
]);
const proFields = new Set([
  'displayName',
  'formattedAddress',
  'shortFormattedAddress',
  'addressComponents',
  'location',
  'viewport',
  'plusCode',
  'types',
  'primaryType',
  'primaryTypeDisplayName',
  'businessStatus',
  'pureServiceAreaBusiness',
  'googleMapsUri',
  'photos',
  'iconMaskBaseUri',
  'utcOffsetMinutes',
]);

/** A field mask that Google would accept: which parts of the answer to return, and what a page costs with it. */
export type FieldMask = { token: boolean; all: boolean; fields: ReadonlySet<string>; micros: number };

/** Reads a mask; a text in place of one is the reason why Google refuses it. */
export function parseMask(header: string | undefined): FieldMask | string {
  if (header === undefined || header === '') {
    return 'FieldMask is a required parameter. Set the X-Goog-FieldMask header to the fields that you need.';
  }
  const fields = new Set<string>();
  let token = false;
  let all = false;
  for (const path of header.split(',')) {
    const [root, field] = path.split('.');
    if (path === '*' || path === 'places') all = true;
    else if (path === 'nextPageToken') token = true;
    else if (root === 'places' && field && isKnown(field)) fields.add(field);
    else return `Request contains an invalid argument: no field matches the path '${path}' of the field mask.`;
    if (path === '*') token = true;
  }
  return { token, all, fields, micros: price(all, fields) };
}

/** The object reduced to the masked fields. */
export function applyMask(
  place: Readonly<Record<string, unknown>>,
  { all, fields }: FieldMask,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(place).filter(([name]) => all || fields.has(name)));
}

const isKnown = (field: string) => freeFields.has(field) || proFields.has(field) || enterpriseFields.has(field);

/** The dearest field decides: list prices of 2026-11-21 for one request, in micro-dollars. */
function price(all: boolean, fields: ReadonlySet<string>): number {
  if (all) return 40_000;
  if ([...fields].some((field) => enterpriseFields.has(field))) return 35_000;
  return [...fields].every((field) => freeFields.has(field)) ? 0 : 32_000;
}
