import { beforeEach, expect, test, vi } from 'vitest';
import { logCallEndpoint } from '#contract/calling/calls.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { ApiError } from '#web/lib/backend/api-error.ts';
import { type CallToLog, forgetWaiting, post, postWaiting, waitingCalls } from './outbox.ts';

vi.mock('#web/lib/backend/api-client.ts', () => ({ callApi: vi.fn() }));
const server = vi.mocked(callApi);
const offline = () => new ApiError('Network error.', { kind: 'network' });
const refusal = (status: number) => new ApiError('Refused.', { kind: 'http', status });
const call = (id: number): CallToLog => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  leadId: 'a-lead',
  outcome: 'reached',
});

beforeEach(() => {
  localStorage.clear();
  server.mockReset();
});

test('what the server takes does not wait', async () => {
  server.mockResolvedValue({ suppressed: true });
  expect(await post('mara', call(1))).toEqual({ state: 'sent', suppressed: true });
  expect(server).toHaveBeenCalledWith(logCallEndpoint, { body: call(1) });
  expect(waitingCalls('mara')).toEqual([]);
});

test.each([
  ['without a connection', offline()],
  ['after a failure of the server', refusal(500)],
  ['after the session has ended', refusal(401)],
  ['when it is too much', refusal(429)],
])('%s it waits, for this person alone, and is sent once later', async (_name, error) => {
  server.mockRejectedValue(error);
  expect((await post('mara', call(1))).state).toBe('kept');
  await post('mara', call(1));
  await post('mara', call(2));
  expect(waitingCalls('mara')).toEqual([call(1), call(2)]);
  expect(waitingCalls('otto')).toEqual([]);
  server.mockReset().mockResolvedValue({ suppressed: false });
  expect(await postWaiting('mara')).toEqual([]);
  expect(server.mock.calls.map(([, input]) => input)).toEqual([{ body: call(1) }, { body: call(2) }]);
  expect(waitingCalls('mara')).toEqual([]);
});

test('what the server refuses for good is told and does not wait', async () => {
  server.mockRejectedValue(refusal(409));
  expect(await post('mara', call(1))).toEqual({ state: 'refused', why: 'Refused.' });
  expect(waitingCalls('mara')).toEqual([]);
});

test('one can be taken out again, and what is no call is left out', async () => {
  server.mockRejectedValue(offline());
  await post('mara', call(1));
  expect(forgetWaiting('mara', call(1).id)).toBe(true);
  expect(forgetWaiting('mara', call(1).id)).toBe(false);
  for (const nonsense of ['{', '{"a": 1}', '[{"id": 1}]']) {
    localStorage.setItem('calls-to-log:mara', nonsense);
    expect(waitingCalls('mara')).toEqual([]);
  }
});
