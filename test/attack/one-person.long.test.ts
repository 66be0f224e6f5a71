import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { listKeysEndpoint } from '#contract/account/api-keys.ts';
import { buildListOf } from '#test/lists.ts';
import { setUpGreedyPerson } from './harness/greedy-person.ts';
import { attack, worstRequests } from './harness/worst-requests.ts';

const people = setUpGreedyPerson();
const { send } = people;
const LEADS = 10_000;
let longList: string;

beforeAll(async () => {
  longList = await buildListOf(
    people.site.owner,
    people.mallory.userId,
    Array.from({ length: LEADS }, (_, at) => ({ business_name: `Invented ${at}`, phone: '+1 217-555-0100' })),
  );
});

test('while one person asks for the worst, others are answered and the process is ready', async () => {
  let over = false;
  const others = async () => {
    // The pause keeps her below the 900 requests of a minute that one person has.
    for (; !over; await pause(50)) {
      expect((await send(people.alice, listKeysEndpoint.path)).status).toBe(200);
      expect((await send(people.alice, '/rest/v1/lists?select=id')).status).toBe(200);
      expect((await fetch(`${people.site.url}/readyz`)).status).toBe(200);
    }
  };
  const watching = others();
  const statuses = await attack(
    ({ path, accept, ...init }, signal) =>
      send(people.mallory, path, { ...init, signal, headers: accept ? { accept } : {} }),
    worstRequests(people.mallory.userId, longList),
    { count: 200, atOnce: 50 },
  );
  over = true;
  await watching;
  for (const status of statuses)
    expect([200, 201, 204, 206, 400, 404, 413, 416, 422, 429, 500], `${status}`).toContain(status);
  expect(statuses).toContain(400);
  const { count } = await people.site.owner
    .selectFrom('lists')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', people.mallory.userId)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBeLessThanOrEqual(1_000);
});
