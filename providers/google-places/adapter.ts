import { middleOf } from '#providers/geo.ts';
import type { AdapterOptions, PlaceFinder, PlaceQuery } from '#providers/provider.ts';
import { createGoogleClient, type SearchTextBody } from './client.ts';
import { createCounter } from './insights.ts';
import { toLocatedPlace, toPlace } from './map.ts';
import { isNearUnitedStates, readsAsAmerican } from './region.ts';

/** Fields of the IDs Only tier, which is free. */
const testMask = 'places.id';
const countMask = 'places.id,nextPageToken';
/** Fields up to the Pro tier. */
const locateMask = 'places.id,places.formattedAddress,places.location,places.viewport,places.types';
/** Phone and website put this into the Enterprise tier; the fields of the tiers below add nothing to its price. */
const searchMask =
  'places.id,places.displayName,places.formattedAddress,places.addressComponents,places.location,places.types,places.primaryType,places.businessStatus,places.pureServiceAreaBusiness,places.googleMapsUri,places.nationalPhoneNumber,places.internationalPhoneNumber,places.websiteUri,places.rating,places.userRatingCount,nextPageToken';

/** Businesses from Google's Places API (New). Only `places:searchText` is needed; `countArea` asks Places Aggregate. */
export function createPlaceFinder(options: AdapterOptions): PlaceFinder {
  const searchText = createGoogleClient(options);
  return {
    countArea: createCounter(options),
    async testKey(signal) {
      await searchText(
        { body: { textQuery: 'coffee in Austin, TX', pageSize: 1 }, mask: testMask, paid: false },
        signal,
      );
    },
    async locate(text, signal) {
      const textQuery = text.trim();
      const body = { textQuery, pageSize: 1, ...(readsAsAmerican(textQuery) ? { regionCode: 'US' } : {}) };
      const { places } = await searchText({ body, mask: locateMask, paid: true }, signal);
      const first = places?.[0];
      return first ? toLocatedPlace(first, textQuery) : undefined;
    },
    async searchPage(query, signal) {
      const answer = await searchText({ body: pageBody(query), mask: searchMask, paid: true }, signal);
      return { places: (answer.places ?? []).map(toPlace), ...nextPage(answer.nextPageToken) };
    },
    async countPage(query, signal) {
      const answer = await searchText({ body: pageBody(query), mask: countMask, paid: false }, signal);
      return { placeIds: (answer.places ?? []).map((place) => place.id), ...nextPage(answer.nextPageToken) };
    },
  };
}

const nextPage = (token: string | undefined) => (token ? { nextPageToken: token } : {});

/**
 * The category alone is the text: a place name in it would make Google ignore the rectangle. Every page repeats the same
 * body, or Google refuses the token.
 */
function pageBody({ category, within, pageSize, pageToken }: PlaceQuery): SearchTextBody {
  return {
    textQuery: category.trim(),
    pageSize,
    ...(isNearUnitedStates(middleOf(within)) ? { regionCode: 'US' } : {}),
    languageCode: 'en',
    includePureServiceAreaBusinesses: true,
    locationRestriction: { rectangle: within },
    ...(pageToken === undefined ? {} : { pageToken }),
  };
}
