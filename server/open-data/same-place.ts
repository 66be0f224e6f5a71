import { fipsOf } from '#area/named/state-codes.ts';

/** "…, Springfield, IL 62701, USA", with the ZIP code and the country or without them. */
const END =
  /(?:^|,)\s*([^,]+?)\s*,?\s+([a-z]{2})(?:[\s,]+(\d{5})(?:-\d{4})?)?(?:,?\s*(?:USA?|United States(?: of America)?))?[\s,.]*$/i;
/** How much of an address its end is looked for in. */
const TAIL = 120;

/** Whether two addresses name the same ZIP code, or the same city and state. */
export function samePlace(one: string | null | undefined, other: string | null | undefined): boolean {
  const [here, there] = [placeOf(one), placeOf(other)];
  if (!here || !there) return false;
  return (here.zip !== undefined && here.zip === there.zip) || here.town === there.town;
}

function placeOf(address: string | null | undefined): { town: string; zip: string | undefined } | undefined {
  const [, city = '', state = '', zip] = END.exec((address ?? '').slice(-TAIL)) ?? [];
  return fipsOf(state) === undefined ? undefined : { town: `${city}, ${state}`.toLowerCase(), zip };
}
