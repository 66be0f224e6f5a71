import { expect, test } from 'vitest';
import { createWaits } from './waits.ts';

test('what waits is told only once nothing has moved for a while', async () => {
  let now = 0;
  const waits = createWaits(() => now);
  const until = new Date(60_000);
  const held = Promise.withResolvers<void>();
  const limited = waits.during({ reason: 'limit', until }, () => held.promise);
  now = 3_000;
  expect(waits.current()).toBeUndefined();
  now = 5_000;
  expect(waits.current()).toEqual({ reason: 'limit', until });
  waits.moved();
  expect(waits.current()).toBeUndefined();
  expect([waits.hasMoved(), waits.hasMoved()]).toEqual([true, false]);
  now = 10_000;
  const down = waits.during({ reason: 'provider_down' }, () => held.promise);
  expect(waits.current()).toEqual({ reason: 'provider_down' });
  waits.moved();
  const all = waits.during({ reason: 'provider_down', until, all: true }, () => held.promise);
  expect(waits.current()).toMatchObject({ reason: 'provider_down', until });
  held.resolve();
  await Promise.all([limited, down, all]);
  expect(waits.current()).toBeUndefined();
});
