import { addressOf, type Business } from '#sandbox/businesses/businesses.ts';
import type { Location } from '#sandbox/geography/locate.ts';
import { pointAt } from '#sandbox/geography/points.ts';

/** A business with every field that a mask can ask for; what a field would be empty for is left out, as on the real wire. */
export function businessOnWire(business: Business): Record<string, unknown> {
  const { id, name, types, latitude, longitude, status, serviceArea } = business;
  const [stateCode, ...postcode] = business.region?.split(' ') ?? [];
  return {
    name: `places/${id}`,
    id,
    types,
    primaryType: types[0],
    ...(business.nationalPhone ? { nationalPhoneNumber: business.nationalPhone } : {}),
    ...(business.internationalPhone ? { internationalPhoneNumber: business.internationalPhone } : {}),
    ...(serviceArea
      ? { pureServiceAreaBusiness: true }
      : {
          formattedAddress: addressOf(business),
          addressComponents: [
            component(business.city, ['locality', 'political']),
            ...(business.country === 'USA' && stateCode
              ? [component(stateCode, ['administrative_area_level_1', 'political'])]
              : []),
            ...(postcode.length > 0 ? [component(postcode.join(' '), ['postal_code'])] : []),
            component(business.country, ['country', 'political']),
          ],
          location: { latitude, longitude },
          viewport: viewport({ latitude, longitude }, 200),
        }),
    ...(business.rating === undefined ? {} : { rating: business.rating, userRatingCount: business.ratings }),
    googleMapsUri: `https://maps.example/?cid=${id}`,
    ...(business.website ? { websiteUri: business.website } : {}),
    displayName: { text: name, languageCode: 'en' },
    businessStatus: status,
  };
}

/** A location with every field that a mask can ask for. */
export function locationOnWire({ id, name, address, types, latitude, longitude }: Location): Record<string, unknown> {
  return {
    name: `places/${id}`,
    id,
    types,
    formattedAddress: address,
    location: { latitude, longitude },
    viewport: viewport({ latitude, longitude }, 8_000),
    googleMapsUri: `https://maps.example/?cid=${id}`,
    displayName: { text: name, languageCode: 'en' },
  };
}

const component = (text: string, types: readonly string[]) => ({
  longText: text,
  shortText: text,
  types,
  languageCode: 'en',
});

function viewport(center: { latitude: number; longitude: number }, meters: number) {
  const [north, east, south, west] = [0, 0.5, 1, 1.5].map((turn) => pointAt(center, meters, turn * Math.PI));
  return {
    low: { latitude: south?.latitude, longitude: west?.longitude },
    high: { latitude: north?.latitude, longitude: east?.longitude },
  };
}
