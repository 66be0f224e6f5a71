import { once } from 'node:events';
import { connect } from 'node:http2';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createTurns, TooManyAtOnce } from '#db/turns/turns.ts';
import { serveStreams } from './serve-streams.ts';
import { TOLD_HEADER, type Told, writeTold } from './told.ts';

const TOLD: Told = {
  requestId: 'one',
  ip: '192.0.2.1',
  user: { userId: 'ann', sessionId: '', email: '', role: 'user', aal: 'aal1', isFresh: false },
};

test('a file whose next part waits longer than a request would is whole in the end', async () => {
  const turns = createTurns({ atWork: 1, open: Number.POSITIVE_INFINITY, patienceMs: 30 });
  const [here, there] = duplexPair();
  const made: string[] = [];
  let makesNext = () => {};
  const mayMake = new Promise<void>((resolve) => {
    makesNext = resolve;
  });
  const parts = async function* () {
    for (const part of ['one,', 'two,', 'three']) {
      // The first part is in flight until the turn behind it is someone else's.
      if (part === 'two,') await mayMake;
      made.push(part);
      yield new TextEncoder().encode(part);
    }
  };
  const served = serveStreams(there, turns, async () => new Response(ReadableStream.from(parts())));
  const session = connect('http://apart', { createConnection: () => here });
  const stream = session.request({ ':path': '/', [TOLD_HEADER]: writeTold(TOLD) });
  stream.end();
  await once(stream, 'response');
  // In line behind the second part, and so before the third.
  await expect.poll(() => made).toEqual(['one,']);
  const long = turns.take('ann', undefined, Number.POSITIVE_INFINITY);
  makesNext();
  const end = await long;
  // Behind the third part, one that waits no longer than a request does.
  await expect(turns.take('ann')).rejects.toBeInstanceOf(TooManyAtOnce);
  expect(made).not.toContain('three');
  end();
  expect(await text(stream)).toBe('one,two,three');
  session.close();
  await served;
});
