import { beforeEach, expect, test, vi } from 'vitest';
import { logCallEndpoint } from '#contract/calling/calls.ts';
import { addSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import { ok, refused, seedSession, stubServer, testSession } from '#web/test-app.tsx';
import { aCall } from '#web/test-data.ts';
import { forgetWaiting, post, postWaiting, type WaitingCall, waitingCalls } from './outbox.ts';
import { outboxKey } from './outbox-key.ts';

const LOG = `POST ${logCallEndpoint.path}`;
const call = (id: number): WaitingCall => ({
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
  const refused = { state: 'refused', call: call(1), why: 'Refused.', suppressed: false };
  expect(await post('mara', call(1))).toEqual(refused);
  expect(waitingCalls('mara')).toEqual([]);
});

test('what another version of the page has stored hides no call, and is not lost', async () => {
  const newer = { ...call(9), outcome: 'of_a_later_version' };
  localStorage.setItem(outboxKey('mara'), JSON.stringify([call(1), newer]));
  answering(offline);
  await post('mara', call(2));
  expect(waitingCalls('mara')).toEqual([call(1), call(2)]);
  const sent = answering(() => logged(false));
  await postWaiting('mara');
  expect(sent()).toEqual([call(1), call(2)]);
  expect(JSON.parse(localStorage.getItem(outboxKey('mara')) ?? '')).toEqual([newer]);
});

const SUPPRESS = `${addSuppressionEndpoint.method} ${addSuppressionEndpoint.path}`;
const suppression = {
  id: 'an-entry',
  kind: 'phone',
  value: '+12175550101',
  note: null,
  source: 'hand',
  addedBy: null,
  addedAt: '2026-11-24T18:00:00Z',
  exports: { total: 0, newest: [] },
};
const suppressing = () => ok({ suppression, added: true, leads: 1 });
const stop = (id: number, outcome: WaitingCall['outcome'] = 'do_not_call'): WaitingCall => ({
  ...call(id),
  outcome,
  lead: { name: 'Alder Dental', number: '+12175550101' },
});

/** The log refuses for good, and the suppression list answers so. Returns what that was sent. */
function refusingStops(status: number, answer: () => Response) {
  const answers = {
    [LOG]: refusing(status),
    [SUPPRESS]: answer,
    'POST /auth/v1/token': () => Response.json(testSession),
  };
  const seen = stubServer(answers);
  return () => seen.filter(({ path }) => path === addSuppressionEndpoint.path).map(({ body }) => body);
}

test.each([
  [404, 'do_not_call'],
  [409, 'do_not_call'],
  [422, 'wrong_number'],
] as const)('a stop whose call is refused with %i suppresses its number: %s', async (status, outcome) => {
  const sent = refusingStops(status, suppressing);
  expect(await post('mara', stop(1, outcome))).toMatchObject({ state: 'refused', why: 'Refused.', suppressed: true });
  expect(sent()).toEqual([
    { kind: 'phone', value: '+12175550101', note: expect.stringContaining('could not be logged'), said: { outcome } },
  ]);
  expect(waitingCalls('mara')).toEqual([]);
});

test.each(['madeAt', 'saidAt'])(
  'such a stop counts from when it was said (%s), not from when it gets through',
  async (said) => {
    const at = '2026-11-18T15:00:00.000Z';
    const logs = refusingStops(404, offline);
    await post('mara', { ...stop(1), [said]: at });
    expect(logs()[0]).not.toHaveProperty('saidAt');
    const sent = refusingStops(404, suppressing);
    await postWaiting('mara');
    expect(sent()).toMatchObject([{ note: expect.stringContaining('Nov 18'), said: { outcome: 'do_not_call', at } }]);
  },
);

test('such a stop waits until its number is suppressed, and is not logged again', async () => {
  refusingStops(404, offline);
  expect((await post('mara', stop(1))).state).toBe('kept');
  expect(waitingCalls('mara')).toEqual([{ ...stop(1), refused: 'Refused.' }]);
  const logs = answering(() => logged(false));
  expect(await postWaiting('mara')).toEqual([]);
  expect(logs()).toEqual([]);
  const sent = refusingStops(404, suppressing);
  expect(await postWaiting('mara')).toMatchObject([{ why: 'Refused.', suppressed: true }]);
  expect(sent()).toHaveLength(1);
  expect(waitingCalls('mara')).toEqual([]);
});

test('a number that is refused keeps waiting and holds up no other; one that was erased is held back anyway', async () => {
  refusingStops(404, refusing(422));
  await post('mara', stop(1));
  localStorage.setItem('calls-to-log:mara', JSON.stringify([...waitingCalls('mara'), call(2)]));
  expect((await postWaiting('mara')).map(({ suppressed }) => suppressed)).toEqual([false, false]);
  expect(waitingCalls('mara').map(({ id }) => id)).toEqual([stop(1).id]);
  refusingStops(404, () => refused(409, 'CONFLICT', 'This contact was erased.'));
  expect(await postWaiting('mara')).toMatchObject([{ suppressed: true }]);
  expect(waitingCalls('mara')).toEqual([]);
});

test('practice suppresses no one, and no more does an outcome that is no stop', async () => {
  const sent = refusingStops(404, suppressing);
  await post('mara', { ...stop(1), lead: { name: 'Alder Dental' } });
  await post('mara', stop(2, 'reached'));
  expect(sent()).toEqual([]);
  expect(waitingCalls('mara')).toEqual([]);
});

test('where the browser keeps nothing, a call that did not get through is told, and does not pass for one that waits', async () => {
  answering(offline);
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError');
  });
  try {
    const why = expect.stringMatching(/This browser cannot keep it for later\.$/);
    expect(await post('mara', stop(1))).toEqual({ state: 'refused', call: stop(1), why, suppressed: false });
  } finally {
    full.mockRestore();
  }
  expect((await post('mara', stop(1))).state).toBe('kept');
});

test('one that is taken out while those before it are sent is not sent', async () => {
  answering(offline);
  await post('mara', call(1));
  await post('mara', call(2));
  const sent = answering(() => {
    forgetWaiting('mara', call(2).id);
    return logged(false);
  });
  await postWaiting('mara');
  expect(sent()).toEqual([call(1)]);
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
