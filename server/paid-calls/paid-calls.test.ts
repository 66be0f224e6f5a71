import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connect } from '#db/connection/client.ts';
import { cleanJson } from '#db/values/storable.ts';
import { ProviderError } from '#providers/provider.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { retryPause } from './departure/retry-pause.ts';

let one: Connection;
let two: Connection;
beforeAll(async () => {
  const url = await freshDatabase();
  [one, two] = [connect(url), connect(url)];
});
afterAll(() => Promise.all([one.db.destroy(), two.db.destroy()]));

test('slots of one key are spaced exactly, also when two processes ask', async () => {
  const departures = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      // By the database's own clock, as soon as it is known how long to wait.
      const { rows } = await sql<{ at: number }>`
        select wait + extract(epoch from clock_timestamp())::float8 * 1000 as at
        from (select app.take_slot('hunter_io:test', array[10, 25], array[1000, 10000]) as wait offset 0) as taken
      `.execute((index % 2 ? one : two).db);
      return rows[0]?.at ?? 0;
    }),
  );
  const sorted = departures.toSorted((a, b) => a - b);
  const slack = 250; // what a question takes on a busy machine
  for (const [index, at] of sorted.entries()) {
    expect(at - (sorted[index - 10] ?? -Infinity)).toBeGreaterThan(1_000 - slack);
    expect(at - (sorted[index - 25] ?? -Infinity)).toBeGreaterThan(10_000 - slack);
  }
  expect((sorted[24] ?? Infinity) - (sorted[0] ?? 0)).toBeLessThan(10_000);
});

const failure = (kind: ConstructorParameters<typeof ProviderError>[1], retryAfterMs?: number) =>
  new ProviderError('hunter_io', kind, 'No.', { retryAfterMs });

test('only failures that a repetition can cure are repeated, with growing pauses', () => {
  for (const kind of [
    'bad_credentials',
    'bad_configuration',
    'out_of_credit',
    'bad_request',
    'legal_block',
    'unknown_shape',
  ] as const)
    expect(retryPause(failure(kind), 1)).toBeUndefined();
  const pauses = (random: number) =>
    [1, 2, 3, 4, 5, 6, 7, 8].map((tries) => retryPause(failure('rate_limited'), tries, () => random));
  expect(pauses(0)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, undefined]);
  expect(pauses(1)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, undefined]);
  expect(retryPause(failure('transient'), 2)).toBeDefined();
  expect(retryPause(failure('transient'), 3)).toBeUndefined();
});

test('the provider says how long to wait, within reason', () => {
  expect(retryPause(failure('rate_limited', 7_000), 1)).toBe(7_000);
  expect(retryPause(failure('rate_limited', 3_600_000), 1)).toBeUndefined();
});

test('what PostgreSQL refuses in text is taken out of answers', async () => {
  const odd = { name: 'A\u0000B', half: '\ud83d', list: ['\u0000'], count: 3, none: null, backslash: '\\u0000' };
  const clean = cleanJson(odd);
  expect(clean).toEqual({ name: 'AB', half: '\ufffd', list: [''], count: 3, none: null, backslash: '\\u0000' });
  const { rows } = await sql<{ back: unknown }>`select ${JSON.stringify(clean)}::jsonb as back`.execute(one.db);
  expect(rows[0]?.back).toEqual(clean);
});
