import { beforeEach, expect, test } from 'vitest';
import { logCallEndpoint } from '#contract/calling/calls.ts';
import { ok, refused, seedSession, stubServer, testSession } from '#web/test-app.tsx';
import { aCall } from '#web/test-data.ts';
import { type CallToLog, forgetWaiting, post, postWaiting, waitingCalls } from './outbox.ts';

const LOG = `POST ${logCallEndpoint.path}`;
const call = (id: number): CallToLog => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  leadId: 'a-lead',
  outcome: 'reached',
});

/** Lets the server answer each call so. Returns the calls that it was sent. */
function answering(answer: () => Response) {
  const seen = stubServer({ [LOG]: answer, 'POST /auth/v1/token': () => Response.json(testSession) });
  return () => seen.filter(({ path }) => path === logCallEndpoint.path).map(({ body }) => body);
}
const offline = (): Response => {
  throw new TypeError('Failed to fetch');
};
const logged = (suppressed: boolean) => ok({ call: aCall(), suppressed });
const refusing = (status: number) => () => refused(status, 'REFUSED', 'Refused.');

beforeEach(seedSession);

test('what the server takes does not wait', async () => {
  const sent = answering(() => logged(true));
  expect(await post('mara', call(1))).toEqual({ state: 'sent', suppressed: true });
  expect(sent()).toEqual([call(1)]);
  expect(waitingCalls('mara')).toEqual([]);
});

test.each([
  ['without a connection', offline],
  ['after a failure of the server', refusing(500)],
  ['after the session has ended', refusing(401)],
  ['when it is too much', refusing(429)],
])('%s it waits, for this person alone, and is sent once later', async (_name, answer) => {
  answering(answer);
  expect((await post('mara', call(1))).state).toBe('kept');
  await post('mara', call(1));
  await post('mara', call(2));
  expect(waitingCalls('mara')).toEqual([call(1), call(2)]);
  expect(waitingCalls('otto')).toEqual([]);
  const sent = answering(() => logged(false));
  expect(await postWaiting('mara')).toEqual([]);
  expect(sent()).toEqual([call(1), call(2)]);
  expect(waitingCalls('mara')).toEqual([]);
});

test('what the server refuses for good is told and does not wait', async () => {
  answering(refusing(409));
  expect(await post('mara', call(1))).toEqual({ state: 'refused', why: 'Refused.' });
  expect(waitingCalls('mara')).toEqual([]);
});

test('one can be taken out again, and what is no call is left out', async () => {
  answering(offline);
  await post('mara', call(1));
  expect(forgetWaiting('mara', call(1).id)).toBe(true);
  expect(forgetWaiting('mara', call(1).id)).toBe(false);
  for (const nonsense of ['{', '{"a": 1}', '[{"id": 1}]']) {
    localStorage.setItem('calls-to-log:mara', nonsense);
    expect(waitingCalls('mara')).toEqual([]);
  }
});
