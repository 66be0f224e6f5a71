import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallSheet, SheetLead } from '#contract/calling/calls.ts';
import { LIVE_CHANNEL } from '#contract/live.ts';
import { authRefused, ok, refused, renderApp, seedSession, stubServer, TEST_USER } from '#web/test-app.tsx';
import { aCall, aListRow } from '#web/test-data.ts';
import { TestSocket } from '#web/test-socket.ts';

const AT = '2026-11-24T18:00:00Z';
const COUNTS = { left: 1, done: 0, callBacks: 0, open: 0, unchecked: 0 };
const SHEET = { at: AT, practice: false, counts: COUNTS };

const lead: SheetLead = {
  id: 'lead-1',
  businessName: 'Alder Dental',
  phone: '+1 217-555-0101',
  number: '+12175550101',
  address: null,
  website: null,
  email: null,
  ownerName: null,
  ownerTitle: null,
  checkedAt: '2026-11-20T18:00:00Z',
  mayCall: true,
  isTaken: false,
  callability: {
    verdict: 'callable',
    window: { state: 'open', closesAt: '2026-11-25T03:00:00Z' },
    zones: ['America/Chicago'],
    reasons: [
      { code: 'hours', text: 'IL: 08:00–21:00 every day', citation: '815 ILCS 413/15', effectiveFrom: '2026-11-26' },
    ],
    rulesAsOf: '2026-11-22',
    callFrom: AT,
    callTo: '2026-11-25T02:59:30Z',
  },
  calls: [],
  open: null,
  mayDial: false,
  dueAt: null,
};
const shows = (more: Partial<SheetLead> = {}): CallSheet => ({ state: 'lead', lead: { ...lead, ...more }, ...SHEET });

/** What a call that is begun gets. */
let stubBegin: () => Response;

async function openSheet(first: CallSheet, more: Parameters<typeof stubServer>[0] = {}) {
  const sheet = { now: first };
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /rest/v1/lists': () => Response.json([aListRow()]),
    'POST /api/lists/list-1/call-sheet': () => ok(sheet.now),
    'POST /api/calls': () => ok({ call: aCall(), suppressed: false }),
    'POST /api/calls/begin': () => stubBegin(),
    ...more,
  };
  const seen = stubServer(answers);
  const asked = (path: string) => seen.filter((one) => one.path === path);
  renderApp('/lists/list-1/calls');
  // The first of these loads the app.
  await screen.findByText(/\d leads? left/, {}, { timeout: 20_000 });
  return { sheet, asked, answers };
}

function bodyOf<Body>(seen: { body: unknown } | undefined): Body {
  if (!seen) throw new Error('This was not asked.');
  return seen.body as Body;
}

/** Someone changed the list. */
async function told(at = '2026-11-24T18:00:01Z') {
  const topic = `realtime:${LIVE_CHANNEL.of(TEST_USER.id)}`;
  await waitFor(() => expect(TestSocket.joins).toContain(topic));
  const list = aListRow({ updated_at: at });
  const payload = { kind: 'changed', changes: [{ listId: list.id, list, runs: [] }] };
  const message = { type: 'broadcast', event: LIVE_CHANNEL.event, payload };
  TestSocket.sockets.at(-1)?.receive([null, null, topic, 'broadcast', message]);
}

beforeEach(() => {
  stubBegin = () => ok({ state: 'begun', call: aCall({ calledAt: AT }) });
  TestSocket.open();
  seedSession();
  // jsdom has none.
  const locks = { request: async (_name: string, _options: object, take: (lock: object) => unknown) => take({}) };
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
});
afterEach(() => vi.useRealTimers());
afterAll(() => {
  TestSocket.silence();
  Reflect.deleteProperty(navigator, 'locks');
});

test('a call of days ago is given its outcome; what is chosen next is of a call of now', async () => {
  const old = aCall();
  const { asked } = await openSheet(shows({ calls: [old] }));
  expect(screen.getByRole('button', { name: 'Begin Call' })).toBeEnabled();
  await userEvent.click(screen.getByRole('button', { name: 'Say How It Ended' }));
  expect(screen.getByText(/^Your call of Nov 19/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Begin Call' })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Voicemail' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Reached' }));
  await waitFor(() => expect(asked('/api/calls')).toHaveLength(2));
  const [first, second] = asked('/api/calls').map(({ body }) => body);
  expect(first).toEqual({ id: old.id, leadId: 'lead-1', number: '+12175550101', outcome: 'voicemail' });
  expect(second).toEqual({
    id: expect.not.stringContaining(old.id),
    leadId: 'lead-1',
    number: '+12175550101',
    outcome: 'reached',
    madeAt: expect.any(String),
  });
});

test('a call that began on another day says on which', async () => {
  const open = aCall({ calledAt: '2026-11-23T20:48:20Z' });
  await openSheet(shows({ open, calls: [open] }));
  expect(screen.getByText(/^Begun at Mon, Nov 23, /)).toBeVisible();
  expect(screen.getByText('No one here has called this number before.')).toBeVisible();
});

const dialButton = () => screen.queryByRole('button', { name: '+1 217-555-0101' });
const UNDER_WAY = aCall({ calledAt: AT });
const begun = (more: Partial<SheetLead> = {}) => shows({ open: UNDER_WAY, mayDial: true, calls: [UNDER_WAY], ...more });

test('a call under way is no leave to dial: its number can be pressed once, right after it was begun', async () => {
  const { sheet, asked } = await openSheet(begun());
  expect(screen.getByText('Call under way')).toBeVisible();
  expect(dialButton()).not.toBeInTheDocument();

  const again = aCall({ id: '00000000-0000-4000-8000-0000000000aa', calledAt: AT });
  sheet.now = shows({ open: again, mayDial: true, calls: [again, UNDER_WAY] });
  stubBegin = () => ok({ state: 'begun', call: again, mayDial: true });
  await userEvent.click(screen.getByRole('button', { name: 'Call Again' }));
  await waitFor(() => expect(dialButton()).toBeVisible());
  expect(asked('/api/calls/begin')).toHaveLength(1);
  // The first call still waits for its outcome.
  expect(screen.getByRole('button', { name: 'Say How It Ended' })).toBeVisible();
});

test('a call that began some minutes ago is not dialed anymore: it would count too early', async () => {
  const { sheet } = await openSheet(shows());
  sheet.now = begun();
  stubBegin = () => ok({ state: 'begun', call: UNDER_WAY, mayDial: true });
  await userEvent.keyboard('c');
  await waitFor(() => expect(dialButton()).toBeVisible());
  // The sheet that the press reads again is of six minutes later.
  sheet.now = { ...begun(), at: '2026-11-24T18:06:00Z' };
  await userEvent.click(screen.getByRole('button', { name: '+1 217-555-0101' }));
  expect(await screen.findByText('The number was not dialed')).toBeVisible();
  expect(dialButton()).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Call Again' })).toBeEnabled();
});

/** As on a bad line, or while the device sleeps. */
const answerComesLate = () => vi.setSystemTime(Date.now() + 40_000);

test('a beginning whose answer comes late is asked about again before its number is dialed', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { sheet } = await openSheet(shows());
  stubBegin = () => {
    answerComesLate();
    // The hours ended meanwhile.
    sheet.now = begun({ mayCall: false, mayDial: false });
    return ok({ state: 'begun', call: UNDER_WAY, mayDial: true });
  };
  await userEvent.click(screen.getByRole('button', { name: '+1 217-555-0101' }));
  expect(await screen.findByText('The number was not dialed')).toBeVisible();
  expect(screen.getByText('Call under way')).toBeVisible();
});

test('leave to dial that comes late says nothing of now, and the number can be pressed again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { sheet, answers } = await openSheet(shows());
  sheet.now = begun();
  stubBegin = () => ok({ state: 'begun', call: UNDER_WAY, mayDial: true });
  await userEvent.keyboard('c');
  await waitFor(() => expect(dialButton()).toBeVisible());
  answers['POST /api/lists/list-1/call-sheet'] = () => {
    answerComesLate();
    return ok(sheet.now);
  };
  await userEvent.click(screen.getByRole('button', { name: '+1 217-555-0101' }));
  expect(await screen.findByText('The number was not dialed')).toBeVisible();
  expect(screen.getByText('The answer came too late. Press the number again.')).toBeVisible();
  expect(dialButton()).toBeVisible();
});

test.each([
  [
    'someone suppresses the number',
    { verdict: 'blocked', reasons: [{ code: 'suppressed', text: 'Suppressed' }] },
    false,
  ],
  [
    'the hours end',
    { verdict: 'not_now', window: { state: 'closed' }, reasons: [{ code: 'hours', text: 'Closed' }] },
    false,
  ],
  [
    'it was the last that a cap allows',
    { verdict: 'not_now', reasons: [{ code: 'cap_reached', text: 'Three calls' }] },
    true,
  ],
  [
    'a cap is reached by other calls',
    { verdict: 'not_now', reasons: [{ code: 'cap_reached', text: 'Four calls' }] },
    false,
  ],
] as const)(
  'once %s, the number of a call that was begun can be pressed only as far as the call itself is allowed',
  async (_what, callability, isLive) => {
    const { sheet } = await openSheet(shows());
    sheet.now = begun({
      mayCall: false,
      mayDial: isLive,
      callability: { ...lead.callability, ...callability, reasons: [...callability.reasons] },
    });
    stubBegin = () => ok({ state: 'begun', call: UNDER_WAY, mayDial: true });
    await userEvent.keyboard('c');
    expect(await screen.findByText('Call under way')).toBeVisible();
    expect(await screen.findByText(callability.reasons[0].text)).toBeVisible();
    expect(dialButton() !== null).toBe(isLive);
    expect(screen.getByRole('button', { name: 'Call Again' })).toBeDisabled();
  },
);

const GONE = { state: 'gone', number: null, call: null, ...SHEET } as const;
const showsOther = () =>
  shows({ id: 'lead-2', businessName: 'Birch Dental', number: '+12175550102', phone: '+1 217-555-0102' });

test('a lead that left the list stays until its call has an outcome, and keys are about it alone', async () => {
  const { sheet, asked } = await openSheet(begun());
  sheet.now = { ...GONE, number: lead.number, call: UNDER_WAY };
  await told();
  expect(await screen.findByText('This lead left the list')).toBeVisible();
  expect(screen.getByText(/Say how the call ended\.$/)).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Alder Dental' })).toBeVisible();
  expect(asked('/api/lists/list-1/call-sheet').at(-1)?.body).toMatchObject({ keep: 'lead-1' });
  sheet.now = showsOther();
  await userEvent.keyboard('r');
  expect(await screen.findByRole('heading', { name: 'Birch Dental' })).toBeVisible();
  expect(asked('/api/calls').map(({ body }) => body)).toMatchObject([{ leadId: 'lead-1', number: lead.number }]);
  expect(asked('/api/lists/list-1/call-sheet').at(-1)?.body).toMatchObject({ after: 'lead-1' });
});

test('a question about a lead that is deleted meanwhile stays open', async () => {
  const { sheet, asked } = await openSheet(shows());
  await userEvent.click(screen.getByRole('button', { name: 'Do not call' }));
  sheet.now = GONE;
  await told();
  expect(await screen.findByText(/A call that was made can still be logged/)).toBeInTheDocument();
  expect(screen.getByRole('alertdialog')).toBeVisible();
  sheet.now = showsOther();
  await userEvent.click(screen.getByRole('button', { name: 'Do Not Call' }));
  await waitFor(() => expect(asked('/api/calls')).toHaveLength(1));
  expect(asked('/api/calls')[0]?.body).toMatchObject({ leadId: 'lead-1', number: lead.number, outcome: 'do_not_call' });
});

test('a list that is deleted during a call leaves the call to be logged', async () => {
  const { answers, asked } = await openSheet(begun());
  answers['POST /api/lists/list-1/call-sheet'] = () => refused(404, 'NOT_FOUND', 'This list was not found.');
  await told();
  expect(await screen.findByText('This lead left the list')).toBeVisible();
  await userEvent.keyboard('v');
  expect(await screen.findByText('List not found')).toBeVisible();
  expect(asked('/api/calls').map(({ body }) => body)).toMatchObject([{ id: UNDER_WAY.id, outcome: 'voicemail' }]);
});

test('after a reload, a call whose lead is gone is known by its number', async () => {
  const call = aCall({ calledAt: AT });
  const { asked } = await openSheet({ ...GONE, number: lead.number, call });
  expect(screen.getByRole('heading', { name: '+1 217-555-0101' })).toBeVisible();
  await userEvent.keyboard('a');
  await waitFor(() => expect(asked('/api/calls')).toHaveLength(1));
  expect(asked('/api/calls')[0]?.body).toMatchObject({ id: call.id, number: lead.number, outcome: 'no_answer' });
});

test('a list that is gone leaves the clock running: a call that is logged later has its own time', async () => {
  const { answers, asked } = await openSheet(shows());
  answers['POST /api/lists/list-1/call-sheet'] = () => refused(404, 'NOT_FOUND', 'This list was not found.');
  await told();
  expect(await screen.findByText('This lead left the list')).toBeVisible();
  const reads = asked('/api/lists/list-1/call-sheet').length;
  const real = Date.now;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + 20 * 60_000);
  try {
    await told('2026-11-24T18:00:02Z');
    await waitFor(() => expect(asked('/api/lists/list-1/call-sheet').length).toBeGreaterThan(reads));
    await screen.findByText('This lead left the list');
    await userEvent.keyboard('r');
    await waitFor(() => expect(asked('/api/calls')).toHaveLength(1));
  } finally {
    clock.mockRestore();
  }
  const { madeAt } = bodyOf<{ madeAt: string }>(asked('/api/calls')[0]);
  expect(Date.parse(madeAt)).toBeGreaterThanOrEqual(Date.parse(AT) + 20 * 60_000);
});

test('"next" names the leads that were passed over, and one that was called is none of them', async () => {
  const { sheet, asked } = await openSheet(shows());
  sheet.now = showsOther();
  await userEvent.keyboard('j');
  expect(await screen.findByRole('heading', { name: 'Birch Dental' })).toBeVisible();
  sheet.now = shows();
  await userEvent.keyboard('j');
  expect(await screen.findByRole('heading', { name: 'Alder Dental' })).toBeVisible();
  await userEvent.keyboard('r');
  await waitFor(() => expect(asked('/api/lists/list-1/call-sheet').length).toBeGreaterThan(3));
  const bodies = asked('/api/lists/list-1/call-sheet').flatMap(({ body }) =>
    JSON.stringify(body).includes('after') ? [body] : [],
  );
  expect(bodies).toMatchObject([
    { after: 'lead-1', passed: ['lead-1'] },
    { after: 'lead-2', passed: ['lead-1', 'lead-2'] },
    { after: 'lead-1', passed: ['lead-2'] },
  ]);
});

test('times and days have one form', async () => {
  await openSheet(shows());
  expect(screen.getByText(/^IL: 8:00 AM–9:00 PM every day/)).toHaveTextContent('In force since Nov 26, 2026.');
  expect(screen.getByText(/^Checked against the lists on Nov 20, 2026. Rules as of Nov 22, 2026./)).toBeVisible();
  expect(document.body).not.toHaveTextContent(/\d{4}-\d\d-\d\d|[01]\d:00/);
});

test('until when calls may begin stands only where one may begin, and never behind the end of the check', async () => {
  const { callFrom: _from, callTo: _to, ...open } = lead.callability;
  const { sheet } = await openSheet(shows({ callability: { ...lead.callability, callTo: '2026-11-24T18:03:00Z' } }));
  expect(screen.getByText('Calls may begin until 12:03 PM CST.')).toBeVisible();
  const change = async (callability: SheetLead['callability']) => {
    sheet.now = shows({ mayCall: false, callability });
    await userEvent.click(screen.getByRole('button', { name: /^Next/ }));
  };
  await change({ ...open, verdict: 'blocked' });
  expect(await screen.findByText('Blocked')).toBeVisible();
  expect(screen.queryByText(/^Calls may begin/)).not.toBeInTheDocument();
  const later = { callFrom: '2026-11-25T18:00:00Z', callTo: '2026-11-26T02:59:30Z' };
  await change({ ...open, ...later, zones: ['America/Chicago', 'America/New_York'], verdict: 'not_now' });
  expect(await screen.findByText('Not now')).toBeVisible();
  expect(screen.getByText(/^Calls may begin/)).toHaveTextContent(
    'Calls may begin from Wed, Nov 25, 12:00 PM CST or Wed, Nov 25, 1:00 PM EST.',
  );
});

test('a lost answer leaves open whether a call was begun, until the sheet shows it', async () => {
  const { sheet, asked } = await openSheet(shows(), {
    'POST /api/calls/begin': () => {
      throw new TypeError('Failed to fetch');
    },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Begin Call' }));
  expect(await screen.findByText('It is not known whether a call was begun')).toBeVisible();
  const { id } = bodyOf<{ id: string }>(asked('/api/calls/begin')[0]);
  const open = aCall({ id, calledAt: AT });
  sheet.now = shows({ open, calls: [open] });
  await userEvent.click(screen.getByRole('button', { name: 'Begin Call' }));
  expect(await screen.findByText('Call under way')).toBeVisible();
  expect(screen.queryByText(/^It is not known|^No call was begun/)).not.toBeInTheDocument();
});

test('a call whose answer was lost, and that the sheet shows then, is dialed without another call', async () => {
  const { sheet, asked } = await openSheet(shows(), {
    'POST /api/calls/begin': ({ body }) => {
      const open = aCall({ ...(body as { id: string }), calledAt: AT });
      sheet.now = shows({ open, mayDial: true, calls: [open] });
      throw new TypeError('Failed to fetch');
    },
  });
  await userEvent.keyboard('c');
  expect(await screen.findByText('Call under way')).toBeVisible();
  expect(dialButton()).toBeVisible();
  expect(asked('/api/calls/begin')).toHaveLength(1);
});

test('a call whose answer was lost is not dialed later if its number may not be called anymore', async () => {
  const blocked = { verdict: 'blocked', reasons: [{ code: 'suppressed', text: 'Suppressed' }] } as const;
  let tries = 0;
  const { sheet } = await openSheet(shows(), {
    'POST /api/calls/begin': ({ body }) => {
      tries += 1;
      if (tries === 1) throw new TypeError('Failed to fetch');
      const open = aCall({ ...(body as { id: string }), calledAt: AT });
      const callability = { ...lead.callability, ...blocked, reasons: [...blocked.reasons] };
      sheet.now = shows({ open, calls: [open], mayCall: false, callability });
      return ok({ state: 'begun', call: open });
    },
  });
  await userEvent.click(screen.getByRole('button', { name: '+1 217-555-0101' }));
  expect(await screen.findByText('It is not known whether a call was begun')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: '+1 217-555-0101' }));
  expect(await screen.findByText('The number was not dialed')).toBeVisible();
  expect(screen.getByText('Call under way')).toBeVisible();
});

test('a lost answer to another call leaves that open too, and asking again begins no third', async () => {
  const { asked } = await openSheet(begun(), {
    'POST /api/calls/begin': () => {
      throw new TypeError('Failed to fetch');
    },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Call Again' }));
  expect(await screen.findByText('It is not known whether a call was begun')).toBeVisible();
  expect(dialButton()).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Call Again' }));
  await waitFor(() => expect(asked('/api/calls/begin')).toHaveLength(2));
  const [first, second] = asked('/api/calls/begin').map(({ body }) => body);
  expect(second).toEqual(first);
});

test('a lost answer leaves open whether a call was withdrawn or an outcome taken back, and the next call is another', async () => {
  const lost = () => {
    throw new TypeError('Failed to fetch');
  };
  const { sheet, answers, asked } = await openSheet(shows(), {
    'POST /api/calls/begin': ({ body }) => {
      const call = aCall({ ...bodyOf<{ id: string }>({ body }), calledAt: AT });
      answers[`POST /api/calls/${call.id}/take-back`] = () => {
        sheet.now = shows();
        return lost();
      };
      sheet.now = shows({ open: call, calls: [call] });
      return ok({ state: 'begun', call });
    },
  });
  await userEvent.keyboard('c');
  expect(await screen.findByText('Call under way')).toBeVisible();
  await userEvent.keyboard('x');
  expect(await screen.findByText('It is not known whether the call was withdrawn')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Begin Call' })).toBeVisible();
  await userEvent.keyboard('c');
  expect(await screen.findByText('Call under way')).toBeVisible();
  const [first, second] = asked('/api/calls/begin').map((one) => bodyOf<{ id: string }>(one).id);
  expect(second).not.toBe(first);
  await userEvent.keyboard('r');
  await userEvent.click(await screen.findByRole('button', { name: /Undo/ }));
  expect(await screen.findByText('It is not known whether the outcome was taken back')).toBeVisible();
});

test('while an earlier call is given its outcome, the number begins no other', async () => {
  const old = aCall();
  await openSheet(shows({ calls: [old] }));
  expect(dialButton()).toBeVisible();
  // A middle click on a link, or its menu, would dial past the log.
  expect(document.querySelector('a[href^="tel:"]')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Say How It Ended' }));
  expect(dialButton()).not.toBeInTheDocument();
});

test('a note is logged once, and comes back with an outcome that was never sent', async () => {
  const old = aCall();
  const { answers, asked } = await openSheet(shows({ calls: [old] }));
  await userEvent.click(screen.getByRole('button', { name: 'Say How It Ended' }));
  await userEvent.type(screen.getByLabelText('Note'), 'left a message');
  await userEvent.click(screen.getByRole('button', { name: 'Voicemail' }));
  await screen.findByRole('button', { name: 'Begin Call' });
  expect(screen.getByLabelText('Note')).toHaveValue('');
  await userEvent.type(screen.getByLabelText('Note'), 'asks for a quote');
  answers['POST /api/calls'] = () => refused(503, 'UNAVAILABLE', 'Try again.');
  await userEvent.click(screen.getByRole('button', { name: 'Reached' }));
  expect(await screen.findByText('1 outcome not sent yet')).toBeVisible();
  const { id, note } = bodyOf<{ id: string; note: string }>(asked('/api/calls')[1]);
  expect(note).toBe('asks for a quote');
  answers[`POST /api/calls/${id}/take-back`] = () => refused(404, 'NOT_FOUND', 'This call was not found.');
  await userEvent.click(await screen.findByRole('button', { name: /Undo/ }));
  await waitFor(() => expect(screen.queryByText('1 outcome not sent yet')).not.toBeInTheDocument());
  expect(await screen.findByLabelText('Note')).toHaveValue('asks for a quote');
});

test('a time to call back is shown by all clocks of the place, with its year, and one too far ahead is refused at once', async () => {
  const then = { ...lead.callability, zones: ['America/Chicago', 'America/New_York'], notChecked: [] };
  await openSheet(shows(), { 'GET /api/leads/lead-1/callability': () => ok({ ...then, scope: 'every_line' }) });
  await userEvent.click(screen.getByRole('button', { name: 'Call back' }));
  const field = await screen.findByLabelText('Call back at (your time)');
  fireEvent.change(field, { target: { value: '2027-11-24T18:00' } });
  expect(await screen.findByText(/^There: /)).toHaveTextContent(
    /There: .*, Nov 24, 2027, .* C[SD]T or .*2027, .* E[SD]T/,
  );
  fireEvent.change(field, { target: { value: '2027-12-01T18:00' } });
  expect(screen.getByText('The time to call back may be at most a year ahead.')).toBeVisible();
  expect(screen.queryByText(/^There: /)).not.toBeInTheDocument();
});

test('where the time there is not known, the reader’s own does not pass for it', async () => {
  const nowhere = { verdict: 'unknown', window: { state: 'unknown' }, zones: [], reasons: [], rulesAsOf: '2026-11-22' };
  await openSheet(shows(), {
    'GET /api/leads/lead-1/callability': () => ok({ ...nowhere, notChecked: [], scope: 'every_line' }),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Call back' }));
  expect(await screen.findByText('The time there is not known.')).toBeVisible();
  expect(screen.queryByText(/^There: /)).not.toBeInTheDocument();
});

test('a sheet without a lead says that calls lack an outcome', async () => {
  const held = { callable: 0, not_now: 0, blocked: 0, review: 0, unknown: 0 };
  const counts = { ...COUNTS, left: 0, done: 1, open: 1 };
  await openSheet({ state: 'waiting', nextAt: null, held, inUse: 0, ...SHEET, counts });
  expect(screen.getByText('0 leads left · 1 done · 1 without an outcome')).toBeVisible();
  expect(screen.getByText('1 call without an outcome, on another call sheet')).toBeVisible();
});

test('what others do to its list reaches an open sheet at once', async () => {
  const { sheet } = await openSheet(shows());
  expect(screen.getByText('Callable now')).toBeVisible();
  sheet.now = shows({ mayCall: false, callability: { ...lead.callability, verdict: 'blocked' } });
  await told();
  expect(await screen.findByText('Blocked')).toBeVisible();
});

const OUTBOX = `calls-to-log:${TEST_USER.id}`;
const stop = (digit: number) => ({
  id: `00000000-0000-4000-8000-00000000000${digit}`,
  leadId: `gone-${digit}`,
  outcome: 'do_not_call',
});

test('each outcome that was refused for good is told, with its name and what became of its number', async () => {
  const birch = { ...stop(2), lead: { name: 'Birch Dental', number: '+12175550102' } };
  localStorage.setItem(OUTBOX, JSON.stringify([stop(1), birch]));
  const { asked } = await openSheet(shows(), {
    'POST /api/calls': () => refused(404, 'NOT_FOUND', 'This lead was not found.'),
    'POST /api/suppressions': () => refused(409, 'CONFLICT', 'This contact was erased.'),
  });
  await waitFor(() => expect(screen.getByText('Not logged: Do not call')).toBeVisible());
  expect(screen.getByText(/not found. Its number is not suppressed. Add it to the suppression list.$/)).toBeVisible();
  expect(screen.getByText('Not logged: Do not call · Birch Dental')).toBeVisible();
  expect(screen.getByText(/not found. \+1 217-555-0102 is suppressed all the same.$/)).toBeVisible();
  expect(asked('/api/suppressions').map(({ body }) => body)).toMatchObject([{ kind: 'phone', value: '+12175550102' }]);
  expect(localStorage.getItem(OUTBOX)).toBeNull();
});

test('a stop that met an ended session is named, and what sends it', async () => {
  const ended = () => refused(401, 'UNAUTHENTICATED', 'Not authenticated');
  const { answers } = await openSheet(shows());
  answers['POST /api/calls'] = ended;
  answers['POST /api/lists/list-1/call-sheet'] = ended;
  answers['POST /auth/v1/token'] = () => authRefused(400, 'refresh_token_not_found');
  await userEvent.click(screen.getByRole('button', { name: 'Do not call' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Do Not Call' }));
  expect(await screen.findByText('You are signed out')).toBeVisible();
  expect(screen.getByText('1 outcome not sent yet: Do not call · Alder Dental')).toBeVisible();
  expect(screen.getByText('Sign in to send it.')).toBeVisible();
  expect(JSON.parse(localStorage.getItem(OUTBOX) ?? '')).toMatchObject([
    { outcome: 'do_not_call', lead: { name: 'Alder Dental', number: '+12175550101' } },
  ]);
});

test('what is logged in a sandbox list is not said to count for everyone', async () => {
  await openSheet(
    { ...shows(), practice: true },
    { 'GET /rest/v1/lists': () => Response.json([aListRow({ sandbox: true })]) },
  );
  expect(screen.getByText('One lead at a time, as with leads that may be called.')).toBeVisible();
  expect(screen.queryByText(/counts for everyone/)).not.toBeInTheDocument();
});
