import type { Coordinates, LocatedPlace, Place } from '#providers/provider.ts';
import type { WirePlace } from './api-types.ts';

/** Types of results that are a location, as opposed to a business that happens to have the typed words in its name. */
const locationTypes = new Set([
  'locality',
  'sublocality',
  'postal_code',
  'postal_town',
  'political',
  'neighborhood',
  'colloquial_area',
  'country',
  'administrative_area_level_1',
  'administrative_area_level_2',
  'administrative_area_level_3',
  'administrative_area_level_4',
  'archipelago',
  'island',
  'natural_feature',
  'street_address',
  'premise',
  'subpremise',
  'route',
  'intersection',
  'plus_code',
  'geocode',
]);

/** A business in our words. */
export function toPlace(wire: WirePlace): Place {
  const phone = filled(wire.internationalPhoneNumber) ?? filled(wire.nationalPhoneNumber);
  const address = filled(wire.formattedAddress);
  const website = webAddress(wire.websiteUri);
  return {
    id: wire.id,
    name: filled(wire.displayName?.text) ?? 'Unnamed business',
    ...(phone === undefined ? {} : { phone }),
    ...(address === undefined ? {} : { address }),
    ...(website === undefined ? {} : { website }),
    ...coordinates(wire),
    serviceArea: wire.pureServiceAreaBusiness === true,
    closedPermanently: wire.businessStatus === 'CLOSED_PERMANENTLY',
  };
}

/** A location in our words; undefined when the result is a business, or has no coordinates. */
export function toLocatedPlace(wire: WirePlace, typed: string): LocatedPlace | undefined {
  const at = coordinates(wire);
  const types = wire.types ?? [];
  const isBusiness =
    types.includes('establishment') && !types.includes('political') && !types.includes('natural_feature');
  if (!at || isBusiness || !types.some((type) => locationTypes.has(type))) return undefined;
  const label = filled(wire.formattedAddress) ?? filled(wire.displayName?.text) ?? typed.trim();
  return { id: wire.id, label: label.replace(/, (USA|United States)$/, ''), ...at };
}

const filled = (text: string | undefined): string | undefined => text?.trim() || undefined;

/** A coordinate of 0 is left out on the wire, so one of the two may be missing. */
function coordinates(wire: WirePlace): Coordinates | undefined {
  const { latitude, longitude } = wire.location ?? {};
  if (latitude === undefined && longitude === undefined) return undefined;
  const at = { latitude: latitude ?? 0, longitude: longitude ?? 0 };
  return Math.abs(at.latitude) <= 90 && Math.abs(at.longitude) <= 180 ? at : undefined;
}

/** Only http and https: this value becomes a link. */
function webAddress(text: string | undefined): string | undefined {
  const value = filled(text);
  if (value === undefined) return undefined;
  const absolute = /^[a-z][a-z0-9+.-]*:/i.test(value) ? value : `https://${value}`;
  const scheme = URL.canParse(absolute) ? new URL(absolute).protocol : '';
  return scheme === 'https:' || scheme === 'http:' ? absolute : undefined;
}
