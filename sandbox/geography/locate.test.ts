import { expect, test } from 'vitest';
import type { Business } from '#sandbox/businesses/businesses.ts';
import { locate } from './locate.ts';

test.each([
  ['Springfield, IL', 'Springfield, IL, USA', 'locality'],
  ['springfield il', 'Springfield, IL, USA', 'locality'],
  ['Springfield, Illinois, USA', 'Springfield, IL, USA', 'locality'],
  ['Springfield, MO', 'Springfield, MO, USA', 'locality'],
  ['St. Louis, MO', 'Saint Louis, MO, USA', 'locality'],
  ["O'Fallon, MO", 'O Fallon, MO, USA', 'locality'],
  ['new york', 'New York, NY, USA', 'locality'],
  ['Washington', 'Washington, DC, USA', 'locality'],
  ['62701', 'Springfield, IL 62701, USA', 'postal_code'],
  ['Springfield, IL 62701-1234', 'Springfield, IL 62701, USA', 'postal_code'],
  ['Texas', 'Texas, USA', 'administrative_area_level_1'],
  ['New Mexico', 'New Mexico, USA', 'administrative_area_level_1'],
  ['1200 E 7th St, Austin, TX', '1200 E 7th St, Austin, TX, USA', 'street_address'],
  ['1200 E 7th St, Austin, TX 78702', '1200 E 7th St, Austin, TX 78702, USA', 'street_address'],
])('%s is %s', (text, address, type) => {
  const found = locate(text, []);
  expect(found).toMatchObject({ address });
  expect(found?.types).toContain(type);
});

test.each(['', 'asdfgh', 'Springfield, ZZ', '00000', 'Paris, France', ',', 'Douglas, Isle of Man', '12 Main St'])(
  '%j is unknown',
  (text) => {
    expect(locate(text, [])).toBeUndefined();
  },
);

test('the center of a town is where the town is', () => {
  expect(locate('Austin, TX', [])).toMatchObject({
    latitude: expect.closeTo(30.3, 0),
    longitude: expect.closeTo(-97.7, 0),
  });
});

const shop = (id: string, city: string, latitude: number): Business => ({
  id,
  name: id,
  types: ['shop'],
  city,
  country: 'Isle of Man',
  latitude,
  longitude: -4.5,
  status: 'OPERATIONAL',
  serviceArea: false,
});
const csv = [shop('a', 'Douglas', 54.1), shop('b', 'Douglas', 54.2), shop('c', 'Peel', 54.3)];

test.each([
  ['Douglas, Isle of Man', 54.15],
  ['douglas', 54.15],
  ['Peel', 54.3],
  ['Isle of Man', 54.2],
])('%s is found among the businesses of a file', (text, latitude) => {
  expect(locate(text, csv)?.latitude).toBeCloseTo(latitude, 5);
});

test('another town of the same name is still found in the US', () => {
  expect(locate('Douglas, AZ', csv)).toMatchObject({ address: 'Douglas, AZ, USA' });
});
