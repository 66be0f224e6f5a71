import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ok, refused, renderApp, seedSession, stubServer } from '#web/test-app.tsx';

// Typing and dialogs take their time on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

beforeEach(() => {
  seedSession();
});

const UNKNOWN = { place: null, lookUpMicros: 32_000, found: 0, unlisted: 0, boundMicros: 137_000 };
const COUNTED = { place: 'Springfield, IL', lookUpMicros: 0, found: 57, unlisted: 41, boundMicros: 105_000 };
const LOOK_UP = 'Look up “Springfield, IL” ($0.032) and count';

/** The New Search dialog, filled in for a place that no one has looked up. */
async function openDialog(lookUp: () => Response | Promise<Response>) {
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /rest/v1/lists': () => Response.json([]),
    'GET /api/runs': () => ok({ runs: [] }),
    'GET /api/keys': () => ok({ apiKeys: [{ provider: 'google_places', isConnected: true }] }),
    'POST /api/search-leads/count': () => ok(UNKNOWN),
    'POST /api/places/look-up': lookUp,
  };
  const seen = stubServer(answers);
  const { user } = renderApp('/search');
  const form = within(await screen.findByRole('dialog'));
  await user.type(form.getByLabelText('Business type'), 'dentists');
  await user.type(form.getByLabelText('Location'), 'Springfield, IL');
  const asked = () => seen.filter(({ path }) => path === '/api/places/look-up').map(({ body }) => body);
  return { answers, user, form, asked };
}

test('a place is looked up only when its button is pressed, once, and then its places are counted', async () => {
  let end: (answer: Response) => void = () => {};
  const answer = new Promise<Response>((resolve) => {
    end = resolve;
  });
  const { answers, user, form, asked } = await openDialog(() => answer);
  const button = await form.findByRole('button', { name: LOOK_UP });
  expect(asked()).toEqual([]);
  await user.dblClick(button);
  expect(button).toHaveAttribute('aria-busy', 'true');
  expect(form.getByRole('button', { name: 'Start Search' })).toBeEnabled();
  answers['POST /api/search-leads/count'] = () => ok(COUNTED);
  end(ok({ place: 'Springfield, IL' }));
  expect(await form.findByText(/^57 places · 41 not in your lists yet\./)).toBeVisible();
  expect(form.queryByRole('button', { name: /Look up/ })).not.toBeInTheDocument();
  expect(asked()).toEqual([{ location: 'Springfield, IL' }]);
});

test('a refusal stands at the button, which tries again, and nothing that was typed is lost', async () => {
  const { answers, user, form, asked } = await openDialog(() => refused(402, 'BUDGET_EXCEEDED', 'No money is left.'));
  await user.click(await form.findByRole('button', { name: LOOK_UP }));
  expect(await form.findByRole('alert')).toHaveTextContent('No money is left.');
  expect(form.getByLabelText('Business type')).toHaveValue('dentists');
  expect(form.getByRole('button', { name: 'Start Search' })).toBeEnabled();
  answers['POST /api/places/look-up'] = () => ok({ place: 'Springfield, IL' });
  answers['POST /api/search-leads/count'] = () => ok(COUNTED);
  await user.click(form.getByRole('button', { name: 'Retry the look-up ($0.032)' }));
  expect(await form.findByText(/^57 places · 41 not in your lists yet\./)).toBeVisible();
  expect(form.queryByRole('alert')).not.toBeInTheDocument();
  expect(asked()).toHaveLength(2);
});

test('a text that is no place is said to be none', async () => {
  const text = '“Springfield, IL” was not found.';
  const { answers, user, form } = await openDialog(() => refused(422, 'UNKNOWN_PLACE', text));
  const button = await form.findByRole('button', { name: LOOK_UP });
  answers['POST /api/search-leads/count'] = () => refused(422, 'UNKNOWN_PLACE', text);
  await user.click(button);
  expect(await form.findByText(text)).toBeVisible();
  expect(form.queryByRole('button', { name: /look.up/i })).not.toBeInTheDocument();
});
