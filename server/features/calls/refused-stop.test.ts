import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { leadCallabilityEndpoint } from '#contract/calling/callability.ts';
import { logCallEndpoint } from '#contract/calling/calls.ts';
import { addSuppressionEndpoint, listSuppressionsEndpoint } from '#contract/calling/suppressions.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  user = await product.user();
});

/** A number of a business, as a lead of a list. */
async function build(phone: string, place: string): Promise<string> {
  const listId = await buildListOf(product.db, user.id, [{ phone, place_id: place }], { sandbox: false });
  const [lead] = await readLeads(product.db, listId);
  return lead?.id ?? '';
}
const stop = (value: string, outcome: 'do_not_call' | 'wrong_number', at?: string) =>
  user.call(addSuppressionEndpoint, {
    kind: 'phone',
    value,
    note: 'The call itself could not be logged.',
    said: { outcome, ...(at ? { at } : {}) },
  });
const entryOf = async (q: string) => (await user.call(listSuppressionsEndpoint, undefined, { q })).items[0];
const verdictOf = async (id: string) => (await user.call(leadCallabilityEndpoint, undefined, { id })).verdict;

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

test('a stop whose call the log refuses holds all numbers of the business, from when it was said', async () => {
  const leadId = await build('+1 217-555-0161', 'ChIJrefused');
  const beside = await build('+1 217-555-0162', 'ChIJrefused');
  const at = daysAgo(9);
  const late = { id: randomUUID(), leadId, outcome: 'do_not_call', madeAt: at } as const;
  await expect(user.call(logCallEndpoint, late)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  const { suppression } = await stop('+12175550161', 'do_not_call', at);
  expect(suppression).toMatchObject({ source: 'call', askedAt: at, note: 'The call itself could not be logged.' });
  expect(await entryOf('2175550162')).toMatchObject({ source: 'call', askedAt: at });
  expect(await verdictOf(beside)).toBe('blocked');
});

test('a wrong number holds itself alone, and what others had entered by hand is the person’s own from then on', async () => {
  await build('+1 217-555-0163', 'ChIJwrong');
  const beside = await build('+1 217-555-0164', 'ChIJwrong');
  await stop('217.555.0163 ext. 9', 'wrong_number', daysAgo(-3));
  expect(await entryOf('2175550163')).not.toHaveProperty('askedAt');
  expect(await verdictOf(beside)).not.toBe('blocked');
  await user.call(addSuppressionEndpoint, { kind: 'phone', value: '217 555 0165' });
  const at = daysAgo(2);
  await stop('217 555 0165', 'do_not_call', at);
  expect(await entryOf('2175550165')).toMatchObject({ source: 'call', askedAt: at });
});

test('only a number can have been called', async () => {
  const said = { outcome: 'do_not_call' } as const;
  const adding = user.call(addSuppressionEndpoint, { kind: 'email', value: 'ann@people.example', said });
  await expect(adding).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});
