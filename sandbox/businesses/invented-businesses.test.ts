import { parsePhoneNumberWithError } from 'libphonenumber-js';
import { expect, test } from 'vitest';
import { distanceMeters } from '#sandbox/geography/points.ts';
import { towns } from '#sandbox/geography/towns.ts';
import { inventedBusinesses } from './invented-businesses.ts';

const townOf = (name: string, state: string) => {
  const town = towns().byName(name, state);
  if (!town) throw new Error(`${name} is a town`);
  return town;
};

test('the same words make the same businesses, others make others', () => {
  const town = townOf('Springfield', 'IL');
  expect(inventedBusinesses(' Plumber', town)).toEqual(inventedBusinesses('plumber', town));
  expect(inventedBusinesses('roofer', town)).not.toEqual(inventedBusinesses('plumber', town));
  expect(inventedBusinesses('plumber', townOf('Springfield', 'MO'))[0]?.id).not.toBe(
    inventedBusinesses('plumber', town)[0]?.id,
  );
});

test.each([
  ['Springfield', 'IL'],
  ['Miami', 'FL'],
  ['Ely', 'NV'],
  ['Honolulu', 'HI'],
  ['Anchorage', 'AK'],
])(
  'around %s, %s: ids and names are unique, numbers are valid US numbers, addresses near their town',
  (name, state) => {
    const town = townOf(name, state);
    const businesses = inventedBusinesses('dentist', town);
    expect(businesses.length).toBeGreaterThan(15);
    expect(new Set(businesses.map(({ id }) => id)).size).toBe(businesses.length);
    const near = businesses.slice(0, 60);
    expect(new Set(near.map((business) => business.name)).size).toBeGreaterThan(near.length * 0.8);
    for (const business of businesses) {
      expect(distanceMeters(town, business)).toBeLessThan(300_000);
      if (business.internationalPhone) {
        const phone = parsePhoneNumberWithError(business.internationalPhone);
        expect([phone.isPossible(), phone.countryCallingCode]).toEqual([true, '1']);
        expect(phone.nationalNumber).toMatch(/^\d{3}55501\d\d$/);
      }
    }
  },
);

test('towns are real ones, not the postcodes of firms', () => {
  expect(towns().byName('West One Bank', 'ID')).toBeUndefined();
  expect(towns().byName('Red Bank', 'NJ')).toBeDefined();
  expect(towns().byName('College Station', 'TX')).toBeDefined();
  expect(towns().byName('Electric City', 'WA')).toBeDefined();
});
