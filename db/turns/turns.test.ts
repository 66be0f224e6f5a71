import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallerGone } from '#db/cancel/while-asked.ts';
import { createTurns, TooManyAtOnce } from './turns.ts';

// Turns are handed on by setImmediate, which no one moves.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const LIMITS = { atWork: 2, open: 3, patienceMs: 1_000 };

test('what one person has too much of waits in its order, and no one else does', async () => {
  const turns = createTurns(LIMITS);
  const ends = [await turns.take('ann'), await turns.take('ann')];
  const begun: number[] = [];
  const waiting = [1, 2].map(async (one) => {
    const end = await turns.take('ann');
    begun.push(one);
    return end;
  });
  await turns.take('ben');
  expect(begun).toEqual([]);
  ends[0]?.();
  ends[0]?.(); // ends once
  await waiting[0];
  await vi.advanceTimersByTimeAsync(10);
  expect(begun).toEqual([1]);
  ends[1]?.();
  await waiting[1];
  expect(begun).toEqual([1, 2]);
});

test('who waits too long is refused, and does not take the turn afterwards', async () => {
  const turns = createTurns({ ...LIMITS, atWork: 1 });
  const end = await turns.take('ann');
  const refused = expect(turns.take('ann')).rejects.toBeInstanceOf(TooManyAtOnce);
  await vi.advanceTimersByTimeAsync(1_000);
  await refused;
  end();
  await turns.take('ann');
});

test('what has begun may wait for its next turn as long as it takes, until its caller hangs up', async () => {
  const turns = createTurns({ ...LIMITS, atWork: 1 });
  const end = await turns.take('ann');
  let begun = false;
  const part = turns.take('ann', undefined, Number.POSITIVE_INFINITY).then((next) => {
    begun = true;
    return next;
  });
  const gone = new AbortController();
  const left = expect(turns.take('ann', gone.signal, Number.POSITIVE_INFINITY)).rejects.toBeInstanceOf(CallerGone);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(begun).toBe(false);
  gone.abort();
  await left;
  end();
  (await part)();
});

test('who hangs up while waiting leaves the line', async () => {
  const turns = createTurns({ ...LIMITS, atWork: 1 });
  const end = await turns.take('ann');
  const gone = new AbortController();
  const left = expect(turns.take('ann', gone.signal)).rejects.toBeInstanceOf(CallerGone);
  const next = turns.take('ann');
  gone.abort('Client connection prematurely closed.');
  await left;
  end();
  (await next)();
  await turns.take('ann');
});

test('an open request counts until it is over', () => {
  const turns = createTurns(LIMITS);
  const [leave] = [turns.enter('ann'), turns.enter('ann'), turns.enter('ann')];
  expect(() => turns.enter('ann')).toThrow(TooManyAtOnce);
  turns.enter('ben');
  leave?.();
  leave?.();
  turns.enter('ann');
  expect(() => turns.enter('ann')).toThrow(TooManyAtOnce);
});

test('a request is heavy while it is still at work', async () => {
  const turns = createTurns({ ...LIMITS, heavyMs: 100 });
  const [long, short] = [await turns.take('ann'), await turns.take('ben')];
  await vi.advanceTimersByTimeAsync(50);
  short();
  await vi.advanceTimersByTimeAsync(100);
  expect([turns.isHeavy('ann'), turns.isHeavy('ben')]).toEqual([true, false]);
  long();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(turns.isHeavy('ann')).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(turns.isHeavy('ann')).toBe(false);
});

test('what waits for a connection is not heavy for that, and what it works afterwards counts as well as before', async () => {
  const turns = createTurns({ ...LIMITS, heavyMs: 100 });
  const [short, long] = [await turns.take('ann'), await turns.take('ben')];
  await vi.advanceTimersByTimeAsync(60);
  const waited = [short, long].map((turn) =>
    turn.waiting(() => new Promise<void>((resolve) => setTimeout(resolve, 5_000))),
  );
  await vi.advanceTimersByTimeAsync(5_000);
  await Promise.all(waited);
  await vi.advanceTimersByTimeAsync(30);
  short();
  expect([turns.isHeavy('ann'), turns.isHeavy('ben')]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(20);
  expect([turns.isHeavy('ann'), turns.isHeavy('ben')]).toEqual([false, true]);
  long();
});

test('who gives up while waiting within a turn ends it, and is not heavy', async () => {
  const turns = createTurns({ ...LIMITS, heavyMs: 100, atWork: 1 });
  const turn = await turns.take('ann');
  const refused = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('none')), 10_000));
  const waited = expect(turn.waiting(() => refused)).rejects.toThrow('none');
  await vi.advanceTimersByTimeAsync(10_000);
  await waited;
  turn();
  expect(turns.isHeavy('ann')).toBe(false);
  await turns.take('ann');
});

test('whose request took long has one at work at a time for a while, and others have as many as ever', async () => {
  const turns = createTurns({ ...LIMITS, heavyMs: 100 });
  const long = await turns.take('ann');
  await vi.advanceTimersByTimeAsync(150);
  long();
  const one = await turns.take('ann');
  let begun = false;
  const two = turns.take('ann').then((end) => {
    begun = true;
    return end;
  });
  await Promise.all([turns.take('ben'), turns.take('ben')]);
  expect(begun).toBe(false);
  one();
  (await two)();
  await vi.advanceTimersByTimeAsync(30_000);
  await Promise.all([turns.take('ann'), turns.take('ann')]);
});
