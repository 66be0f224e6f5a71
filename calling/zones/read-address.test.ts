import { expect, test } from 'vitest';
import { judgeCall } from '#calling/verdict.ts';
import { placeOf } from './zones-of.ts';

test.each<[address: string, state: string | undefined, zones: number]>([
  ['1 Main Street, El Paso, TX 79901, USA', 'TX', 1],
  ['1 Main Street, El Paso, Texas 79901', 'TX', 1],
  ['1 Main Street, El Paso, tx 79901', 'TX', 1],
  ['1 Main Street, El Paso TX 79901-1234 USA', 'TX', 1],
  ['1 Main Street, El Paso, TX, 79901', 'TX', 1],
  ['1 Main Street, El Paso, 79901', 'TX', 1],
  ['1 Main Street, 79901', 'TX', 1],
  ['79901', 'TX', 1],
  ['1 Main Street, El Paso, Texas', 'TX', 2],
  ['Miami, FL, US', 'FL', 2],
  ['Miami, FL, U.S.A.', 'FL', 2],
  ['Miami, fl', 'FL', 2],
  ['1 Main Street, Miami, FL33101', 'FL', 1],
  ['1 Main Street Miami FL', 'FL', 2],
  ['St. Louis, MO', 'MO', 1],
  ['Charleston, West Virginia', 'WV', 1],
  ['Washington 20001', 'DC', 1],
  ['1 Main Street, Springfield, IL 62701, rear building', 'IL', 1],
  ['1 Holt Boulevard, Ontario, CA', 'CA', 1],
  ['Ontario, CA', 'CA', 1],
  ['Wilmington, DE', 'DE', 1],
  // Other countries, whatever their letters mean in the United States.
  ['100 King St, Toronto, ON, CA', undefined, 0],
  ['100 King St, Toronto, ON M5V 1J9, CA', undefined, 0],
  ['100 King St, Toronto, Ontario, CA', undefined, 0],
  ['100 King St, Toronto, Ontario, Canada', undefined, 0],
  ['Toronto Ontario, CA', undefined, 0],
  ['Berlin, DE', undefined, 0],
  ['1 Invented Street, 80331 München, DE', undefined, 0],
  ['München, DE 80331', undefined, 0],
  ['1 Invented Street, Berlin 10115', undefined, 0],
  ['Tbilisi, Georgia', undefined, 0],
  ['Perth, WA, Australia', undefined, 0],
  ['Perth, WA 6000', undefined, 0],
  ['Milano, MI 20121, Italy', undefined, 0],
  ['Casablanca, MA', undefined, 0],
  ['Muster GmbH & Co. 80331 München, Hof links', undefined, 0],
  // Streets, though Avon is in Connecticut, Monroe in Louisiana, and Lincoln in Nebraska.
  ['12 Avon Ct', undefined, 0],
  ['12 AVON CT', undefined, 0],
  ['12 N Avon Ct, USA', undefined, 0],
  ['1200 Monroe La', undefined, 0],
  ['1200 Lincoln NE', undefined, 0],
  ['100 Washington, USA', undefined, 0],
  ['12 Avon Ct, 75201', 'TX', 1],
  ['12 Avon Ct, Dallas, TX 75201', 'TX', 1],
  ['12 Main St, Avon, Ct', 'CT', 1],
  ['12 Main St Avon CT', 'CT', 1],
])('%s lies in %s', (address, state, zones) => {
  const place = placeOf({ phone: '+18005550100', address });
  expect(place?.states).toEqual(state ? [state] : undefined);
  expect(place?.zones ?? []).toHaveLength(zones);
  const scrub = { status: 'safe' as const, expired: false };
  const at = Date.parse('2026-12-08T18:00:00Z');
  const { verdict } = judgeCall({ phone: '+18005550100', address, line: 'landline', scrub, at });
  expect(verdict).toBe(state ? 'callable' : 'unknown');
});

test.each<[address: string, states: string[], zones: string[], verdict: string]>([
  ['Dallas, TX 75201 / Tulsa, OK 74103', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  [
    '1 Main St, Providence, RI 02903\nMail: PO Box 1, Tulsa, OK 74103-0001',
    ['OK', 'RI'],
    ['Chicago', 'New_York'],
    'review',
  ],
  [`Tulsa OK, 74103. ${'Open all day. '.repeat(12)}Dallas, TX 75201`, ['TX', 'OK'], ['Chicago', 'Denver'], 'review'],
  ['El Paso, TX 79901 and Dallas, TX 75201', ['TX'], ['Chicago', 'Denver'], 'callable'],
  ['1 Main St, El Paso, TX 79901, TX 79901', ['TX'], ['Denver'], 'callable'],
  ['Dallas, Texas 75201 / Tulsa, OK 74103', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['Dallas, Texas, 75201-0001 / Tulsa, OK 74103', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['Dallas, tx 75201 / Tulsa, OK 74103', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['Dallas, TX75201 / Tulsa, OK 74103', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['1 Main St, Dallas 75201; Tulsa, OK 74103', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['Charleston, West Virginia 25301\nTulsa, OK 74103', ['OK', 'WV'], ['Chicago', 'New_York'], 'review'],
  ['Dallas, TX 75201; Tulsa, Oklahoma', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['Dallas, Texas 75201; Tulsa, OK, USA', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['Tulsa, OK 74103 and Dallas, Texas 75201, rear building', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  // Without a ZIP code.
  ['Dallas, TX / Tulsa, OK 74103', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['Dallas, TX; Tulsa, OK', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['Dallas, TX, USA / Tulsa, OK, USA', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['Dallas, Texas\nTulsa, Oklahoma', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['Buffalo, N.Y. / Tulsa, OK 74103', ['OK', 'NY'], ['Chicago', 'New_York'], 'review'],
  ['Dallas TX - Tulsa OK 74103', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['Offices in dallas, tx and 12345 Main St, Tulsa, OK', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['1 Main St, Tulsa, OK 74103 and Dallas, TX, rear building', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['Avon, CT / Tulsa, OK 74103', ['OK', 'CT'], ['Chicago', 'New_York'], 'review'],
  ['Dallas, TX / 1 Main St, El Paso, TX 79901', ['TX'], ['Chicago', 'Denver'], 'callable'],
  // With nothing between them.
  ['Dallas, TX Tulsa, OK 74103', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['Dallas TX Tulsa OK 74103', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['dallas, tx tulsa, ok 74103', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['100 Main St, Dallas, Texas 200 Elm St, Tulsa, Oklahoma', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['100 Main St Buffalo N.Y. 200 Elm St Tulsa OK 74103', ['OK', 'NY'], ['Chicago', 'New_York'], 'review'],
  ['Charleston West Virginia Tulsa OK 74103', ['OK', 'WV'], ['Chicago', 'New_York'], 'review'],
  ['1 Main St, Tulsa, OK 74103 Dallas, TX rear building', ['OK', 'TX'], ['Chicago', 'Denver'], 'review'],
  ['1 Main St, Overland Park, Kansas City, MO 64101', ['MO'], ['Chicago'], 'callable'],
  ['12 AVON CT TULSA OK 74103', ['OK'], ['Chicago'], 'callable'],
  ['12 WASHINGTON CT TULSA OK 74103', ['OK'], ['Chicago'], 'callable'],
  ['500 LINCOLN NE TULSA OK 74103', ['OK'], ['Chicago'], 'callable'],
  ['Gary in Tulsa, OK 74103', ['OK'], ['Chicago'], 'callable'],
  ['El Paso TX El Paso TX 79901', ['TX'], ['Denver'], 'callable'],
  // The same address twice, a town with the name of a state, a street, and another country.
  ['1 Main St, El Paso, TX, El Paso, TX 79901', ['TX'], ['Denver'], 'callable'],
  ['1 Main St, Kansas City, MO 64101', ['MO'], ['Chicago'], 'callable'],
  ['Lincoln, Indiana, PA 15701', ['PA'], ['New_York'], 'callable'],
  ['Avon Ct, Tulsa, OK 74103', ['OK'], ['Chicago'], 'callable'],
  ['Toronto, Ontario, CA / Tulsa, OK 74103', ['OK'], ['Chicago'], 'callable'],
  // The last one may lie anywhere in its state.
  ['1 Main St, El Paso, TX 79901; Dallas, TX', ['TX'], ['Chicago', 'Denver'], 'callable'],
  ['El Paso, Texas 79901 and Dallas, TX 75201', ['TX'], ['Chicago', 'Denver'], 'callable'],
  ['12345 Main St, El Paso, TX 79901', ['TX'], ['Denver'], 'callable'],
  // Not a ZIP code of that state.
  ['12 TX 10001, El Paso, TX 79901', ['TX'], ['Denver'], 'callable'],
])('%s names %j', (address, states, zones, verdict) => {
  const phone = '+18005550100';
  const place = placeOf({ phone, address });
  expect(place?.states).toEqual(states);
  expect(place?.zones.map((zone) => zone.replace('America/', '')).toSorted()).toEqual(zones);
  const scrub = { status: 'safe' as const, expired: false };
  const at = Date.parse('2026-12-08T18:00:00Z');
  expect(judgeCall({ phone, address, line: 'landline', scrub, at }).verdict).toBe(verdict);
});
