import { expect, test } from 'vitest';
import { listKeysEndpoint } from '#contract/account/api-keys.ts';
import { setUpGreedyPerson } from './harness/greedy-person.ts';

const people = setUpGreedyPerson();
const { send } = people;

test.each([
  ['JSON', 'application/json', 'GET'],
  ['CSV', 'text/csv', 'GET'],
  ['JSON, of what was changed', 'application/json', 'PATCH'],
] as const)(
  'an answer of more than 2 MB is refused (%s), and a smaller page of it is not',
  async (_as, accept, method) => {
    const again = Array.from({ length: 20 }, (_, at) => `a${at}:search_params`).join(',');
    const read = (limit: string) =>
      send(people.mallory, `/rest/v1/lists?select=id,${again}&name=like.a*&order=id&limit=${limit}`, {
        method,
        headers: { accept, prefer: 'return=representation' },
        ...(method === 'PATCH' ? { body: JSON.stringify({ name: 'a'.repeat(249) }) } : {}),
      });
    const refused = await read('1000');
    expect(refused.status).toBe(413);
    expect(await refused.json()).toEqual({
      code: '54000',
      message: 'The answer would be larger than 2 MB',
      details: null,
      hint: 'Ask for smaller pages, or for fewer columns.',
    });
    if (method === 'GET') expect((await read('20')).status).toBe(200);
    else {
      const kept = people.site.owner.selectFrom('lists').select('id').where('user_id', '=', people.mallory.userId);
      // What is refused is not done.
      expect(await kept.where('name', '=', 'a'.repeat(249)).execute()).toEqual([]);
    }
  },
);

test('a hundred and fifty calls of sign-in at once of one person: some are refused by 429, and no one else is', async () => {
  const body = JSON.stringify({ data: { x: 'a' } });
  const asked = Array.from({ length: 150 }, () => send(people.mallory, '/auth/v1/user', { method: 'PUT', body }));
  expect((await send(people.alice, '/auth/v1/user')).status).toBe(200);
  const answers = await Promise.all(asked);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(64);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const one of refused) {
    expect(Number(one.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await one.json()).toMatchObject({ msg: expect.stringContaining('too many requests open') });
  }
});

test('a hundred and fifty requests at once of one person: some are refused by 429, and no one else is', async () => {
  const asked = Array.from({ length: 150 }, () => send(people.mallory, listKeysEndpoint.path));
  expect((await send(people.alice, listKeysEndpoint.path)).status).toBe(200);
  const answers = await Promise.all(asked);
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(128);
  for (const one of refused) {
    expect(Number(one.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await one.json()).toMatchObject({
      error: 'RATE_LIMITED',
      message: expect.stringContaining('too many requests'),
    });
  }
});
