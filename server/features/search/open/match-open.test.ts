import { expect, test } from 'vitest';
import type { Place } from '#providers/provider.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { startProduct } from '#test/product.ts';
import { matchOpen } from './match-open.ts';

const at = { latitude: 39.8, longitude: -89.65 };
const place = (id: string, name: string): Place => ({ ...at, id, name, serviceArea: false, closedPermanently: false });
const lead = (name: string) => ({ ...at, business_name: name, open_id: `quay:${name}` });
const PRACTICE = place('practice', 'Quay Dental');
const LAB = place('lab', 'Quay Dental Lab');

test.each([
  ['practice first', [PRACTICE, LAB], ['Quay Dental Lab', 'Quay Dental'], ['lab', 'practice']],
  ['lab first', [LAB, PRACTICE], ['Quay Dental', 'Quay Dental Lab'], ['practice', 'lab']],
  ['one of them', [LAB, PRACTICE], ['Quay Dental'], ['practice']],
])('neighbors with like names are not taken for each other: %s', async (_order, places, names, ids) => {
  const { db, user } = await startProduct();
  const listId = await buildListOf(db, (await user()).id, names.map(lead));
  const matched = await db.transaction().execute((tx) => matchOpen(tx, listId, places));
  expect([...matched].sort()).toEqual([...ids].sort());
  expect((await readLeads(db, listId)).map(({ place_id }) => place_id)).toEqual(ids);
});
