import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { authRefused, ok, refused, renderApp, seedSession, stubServer, testSession } from '#web/test-app.tsx';

const MAIL = 'mara.quill@harbour.example';
const SENT = 'Check your email for a magic link to sign in.';
const keys = { 'GET /api/keys': () => ok({ apiKeys: [] }) };
const allowed = {
  ...keys,
  'POST /api/auth/precheck': () => ok({ allow: true }),
  'POST /auth/v1/otp': () => Response.json({}),
};

const emailField = () => screen.findByLabelText('Email');
const sendButton = () => screen.getByRole('button', { name: 'Send magic link' });

beforeEach(() => localStorage.clear());

test('asks the precheck, then for the link, and confirms', async () => {
  const seen = stubServer(allowed);
  const { user } = renderApp('/login');
  const field = await emailField();
  expect(sendButton()).toBeDisabled();
  await user.type(field, ` ${MAIL.toUpperCase()} `);
  await user.click(sendButton());
  expect(await screen.findByText(SENT)).toBeVisible();
  expect(screen.getByText(MAIL)).toBeVisible();
  expect(seen.map((request) => request.path)).toEqual(['/api/auth/precheck', '/auth/v1/otp']);
  expect(seen[0]?.body).toEqual({ email: MAIL });
  expect(seen[1]?.body).toMatchObject({ email: MAIL, code_challenge_method: 's256' });
  expect(seen[1]?.query).toContain(`redirect_to=${encodeURIComponent(window.location.origin)}`);
  await user.click(screen.getByRole('button', { name: 'Use a different email' }));
  expect(await emailField()).toHaveValue('');
});

test.each([
  [() => ok({ allow: false, reason: 'MISSING_TAG' }), 'Access denied. This email does not have the required access.'],
  [() => ok({ allow: false, reason: 'NO_CONTACT' }), 'Access denied. This email does not have the required access.'],
  [
    () => ok({ allow: false, reason: 'KEAP_ERROR' }),
    'Unable to verify access right now. Please try again or contact support.',
  ],
  [() => ok({ allow: false }), 'Access denied. Please contact support if you believe this is an error.'],
  [() => refused(500, 'INTERNAL', 'x'), 'Something went wrong. Please try again later.'],
  [
    () => {
      throw new TypeError('offline');
    },
    'Something went wrong. Please try again later.',
  ],
])('a refusal says why, and sends no link (%#)', async (answer, text) => {
  const seen = stubServer({ ...allowed, 'POST /api/auth/precheck': answer });
  const { user } = renderApp('/login');
  await user.type(await emailField(), MAIL);
  await user.click(sendButton());
  expect(await screen.findByRole('alert')).toHaveTextContent(text);
  expect(seen.some((request) => request.path === '/auth/v1/otp')).toBe(false);
});

test('the gate behind the precheck is heard too', async () => {
  stubServer({
    ...allowed,
    'POST /auth/v1/otp': () => authRefused(429, 'over_email_send_rate_limit'),
  });
  const { user } = renderApp('/login');
  await user.type(await emailField(), MAIL);
  await user.click(sendButton());
  expect(await screen.findByRole('alert')).toHaveTextContent('Too many sign-in links');
});

const tooMany = (code: string, message: string, seconds: number) =>
  Response.json(
    { code, message },
    { status: 429, headers: { 'x-supabase-api-version': '2024-01-01', 'Retry-After': String(seconds) } },
  );

test.each(['POST /api/auth/precheck', 'POST /auth/v1/otp'])(
  'a limit says how long it lasts, counts down, and ends by itself (%s)',
  async (path) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      const seen = stubServer({
        ...allowed,
        [path]: () => tooMany('over_email_send_rate_limit', 'Too many. Please try again in 37 minutes.', 2_217),
      });
      const { user } = renderApp('/login');
      await user.type(await emailField(), MAIL);
      await user.click(sendButton());
      const waiting = await screen.findByRole('button', { name: /^Try again in 3[67]:\d\d$/ });
      expect(waiting).toBeDisabled();
      // The button says when, and only the button.
      expect(screen.getByRole('alert')).toHaveTextContent(/^Too many sign-in links were requested\.$/);
      await act(() => vi.advanceTimersByTimeAsync(2_000_000));
      expect(screen.getByRole('button', { name: /^Try again in 3:\d\d$/ })).toBeDisabled();
      await act(() => vi.advanceTimersByTimeAsync(220_000));
      const asked = seen.length;
      await user.click(await screen.findByRole('button', { name: 'Send magic link' }));
      await waitFor(() => expect(seen.length).toBeGreaterThan(asked));
    } finally {
      vi.useRealTimers();
    }
  },
);

test('a link that was sent earlier is told of, and can be sent again in time', async () => {
  const headers = {
    'Fairlead-Link-Sent-At': new Date(Date.now() - 180_000).toISOString(),
    'Retry-After': '540',
  };
  stubServer({ ...allowed, 'POST /auth/v1/otp': () => Response.json({}, { headers }) });
  const { user } = renderApp('/login');
  await user.type(await emailField(), MAIL);
  await user.click(sendButton());
  expect(await screen.findByText(/^The last link was sent 3 minutes ago\. It still works/)).toBeVisible();
  expect(screen.getByText(SENT)).toBeVisible();
  expect(screen.getByRole('button', { name: /^Send again in (9:00|8:5\d)$/ })).toBeDisabled();
});

test('a code that was tried too often says until when', async () => {
  stubServer({
    ...allowed,
    'POST /auth/v1/verify': () => tooMany('over_request_rate_limit', 'Too many attempts.', 1_500),
  });
  const { user } = renderApp('/login');
  await user.type(await emailField(), MAIL);
  await user.click(sendButton());
  await user.type(await screen.findByLabelText('6-digit code'), '123456');
  expect(await screen.findByText('Too many codes were entered. The link in the email still works.')).toBeVisible();
  expect(screen.getByRole('button', { name: /^Try again in 2[45]:\d\d$/ })).toBeDisabled();
});

test('no address, no request', async () => {
  const seen = stubServer(allowed);
  const { user } = renderApp('/login');
  await user.type(await emailField(), 'nobody');
  await user.click(sendButton());
  expect(screen.getByText('Enter an email address such as name@company.com.')).toBeVisible();
  expect(seen).toEqual([]);
});

test('the code of the mail signs in, and leads back to where one came from', async () => {
  const seen = stubServer({ ...allowed, 'POST /auth/v1/verify': () => Response.json(testSession) });
  const { user, router } = renderApp('/account?from=mail#keys');
  await user.type(await emailField(), MAIL);
  expect(router.state.location.pathname).toBe('/login');
  await user.click(sendButton());
  await user.type(await screen.findByLabelText('6-digit code'), '123 456');
  await screen.findByRole('heading', { name: 'Account Settings' });
  const { pathname, search, hash } = router.state.location;
  expect(`${pathname}${search}${hash}`).toBe('/account?from=mail#keys');
  const verified = seen.filter((request) => request.path === '/auth/v1/verify');
  expect(verified.map((request) => request.body)).toMatchObject([{ email: MAIL, token: '123456', type: 'email' }]);
});

test('a wrong code says so', async () => {
  stubServer({
    ...allowed,
    'POST /auth/v1/verify': () => authRefused(403, 'otp_expired'),
  });
  const { user } = renderApp('/login');
  await user.type(await emailField(), MAIL);
  await user.click(sendButton());
  await user.type(await screen.findByLabelText('6-digit code'), '000000');
  expect(await screen.findByText(/That code is wrong or has expired/)).toBeVisible();
});

test('the mailbox is offered where there is one', async () => {
  stubServer(allowed);
  const { user } = renderApp('/login', { config: { mailbox: true } });
  await user.type(await emailField(), MAIL);
  await user.click(sendButton());
  expect(await screen.findByRole('link', { name: 'Open the mailbox' })).toHaveAttribute('href', '/outbox');
});

test('a link opened elsewhere explains itself and takes the code with the address', async () => {
  const seen = stubServer({ ...keys, 'POST /auth/v1/verify': () => Response.json(testSession) });
  const { user } = renderApp('/login', { landingNews: 'other_device' });
  expect(await screen.findByText('This link was opened in another browser')).toBeVisible();
  await user.type(screen.getByLabelText('6-digit code'), '123456');
  const button = screen.getByRole('button', { name: 'Sign in with the code' });
  expect(button).toBeDisabled();
  await user.type(screen.getByLabelText('Email'), MAIL);
  await user.click(button);
  await waitFor(() => expect(seen[0]?.body).toMatchObject({ email: MAIL, token: '123456', type: 'email' }));
});

test('a used link offers a new one', async () => {
  stubServer(allowed);
  const { user } = renderApp('/login', { landingNews: 'expired' });
  expect(await screen.findByText('This sign-in link no longer works')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Send a new link' }));
  expect(sendButton()).toBeVisible();
});

test('someone who is signed in does not see the page', async () => {
  seedSession();
  stubServer(keys);
  localStorage.setItem('return-to', `${Date.now()} /account`);
  const { router } = renderApp('/login');
  await screen.findByRole('heading', { name: 'Account Settings' });
  expect(router.state.location.pathname).toBe('/account');
});

test('the link of an invitation fills in the address', async () => {
  stubServer({});
  renderApp('/login?email=guest%40people.example');
  expect(await screen.findByLabelText('Email')).toHaveValue('guest@people.example');
  expect(screen.getByRole('button', { name: 'Send magic link' })).toBeEnabled();
});

const texting = {
  ...keys,
  'GET /auth/v1/settings': () => Response.json({ external: { email: true, phone: true } }),
  'POST /auth/v1/otp': () => Response.json({}),
};
/** Asks for a code by text message; the number has the focus. */
async function askForText(user: ReturnType<typeof renderApp>['user'], phone: string) {
  await user.click(await screen.findByRole('button', { name: 'Sign in by text message instead' }));
  const field = await screen.findByLabelText('Phone number');
  expect(field).toHaveFocus();
  await user.type(field, `${phone}{Enter}`);
}

test('a texted code signs in to where one came from; a wrong one says so', async () => {
  let verify = () => authRefused(403, 'otp_expired');
  const seen = stubServer({ ...texting, 'POST /auth/v1/verify': () => verify() });
  const { user } = renderApp('/account');
  await askForText(user, '217 555 0101');
  expect(screen.getByText(/with its country code, such as/)).toBeVisible();
  await user.clear(screen.getByLabelText('Phone number'));
  await user.type(screen.getByLabelText('Phone number'), '+1 (217) 555-0101{Enter}');
  const code = await screen.findByLabelText('6-digit code');
  expect(code).toHaveFocus();
  expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  expect(screen.getByText('+1 217-555-0101')).toBeVisible();
  await user.type(code, '000000');
  expect(await screen.findByText(/wrong or has expired. Check the six digits of the newest text/)).toBeVisible();
  verify = () => Response.json(testSession);
  await user.clear(code);
  await user.type(code, '123456');
  expect(await screen.findByRole('heading', { name: 'Account Settings' })).toBeVisible();
  const sent = seen.filter(({ path }) => path.startsWith('/auth/v1/') && !path.endsWith('settings'));
  expect(sent.find(({ path }) => path.endsWith('/otp'))?.body).toMatchObject({
    phone: '+12175550101',
    create_user: false,
  });
  const proof = { phone: '+12175550101', token: '123456', type: 'sms' };
  expect(sent.filter(({ path }) => path.endsWith('/verify')).at(-1)?.body).toMatchObject(proof);
});

test.each([
  [
    422,
    'otp_disabled',
    'This number cannot sign in. Sign in by email and confirm the number on the Account page first.',
  ],
  [429, 'over_sms_send_rate_limit', /Try again in (60|59) seconds\./],
  [403, 'user_banned', 'Access denied. Please contact support if you believe this is an error.'],
])('no text, %i %s: says why, and the number stays', async (status, refusal, words) => {
  stubServer({ ...texting, 'POST /auth/v1/otp': () => authRefused(status, refusal) });
  const { user } = renderApp('/login');
  await askForText(user, '+1 217 555 0101');
  expect(await screen.findByRole('alert')).toHaveTextContent(words);
  expect(screen.getByLabelText('Phone number')).toHaveValue('+1 217 555 0101');
  await user.click(screen.getByRole('button', { name: 'Sign in by email instead' }));
  expect(await emailField()).toBeVisible();
});
