import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { TRAINING_STORAGE_KEY, type TrainingConfig, type TrainingConfigs } from '#contract/admin/training.ts';
import { ok, renderApp, seedSession, stubServer } from '#web/test-app.tsx';
import { NO_USAGE } from '#web/test-data.ts';

beforeEach(seedSession);

const TOUR: TrainingConfig = { title: 'Take the tour', embedCode: 'https://youtu.be/aB3_-xyzQ09?t=90', isActive: true };

const serve = (videos: TrainingConfigs, afterClick = false) =>
  stubServer({
    'GET /api/training': () => ok({ videos, afterClick }),
    'GET /api/keys': () => ok({ apiKeys: [{ provider: 'google_places', isConnected: true }] }),
    'GET /rest/v1/lists': () => Response.json([]),
    'GET /api/usage': () => ok(NO_USAGE),
  });

test.each([
  ['dashboard', '/'],
  ['settings', '/settings'],
  ['usage', '/usage'],
  ['account', '/account'],
  ['training', '/admin/training'],
] as const)('the video of %s opens from its page and loads with its dialog', async (page, path) => {
  serve({ [page]: TOUR });
  const { user } = renderApp(path);
  await user.click(await screen.findByRole('button', { name: 'Take the tour' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Take the tour' }));
  const frame = dialog.getByTitle('Take the tour');
  expect(frame).toHaveAttribute('src', 'https://www.youtube-nocookie.com/embed/aB3_-xyzQ09?rel=0&start=90');
  expect(frame).toHaveAttribute('referrerpolicy', 'strict-origin-when-cross-origin');
  expect(frame).toHaveAttribute('allowfullscreen');
});

test('where an administrator chose so, nothing loads before a press on Play, also from the copy', async () => {
  serve({ usage: TOUR }, true);
  const { user } = renderApp('/usage');
  await user.click(await screen.findByRole('button', { name: 'Take the tour' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Take the tour' }));
  const play = await dialog.findByRole('button', { name: /Play video/ });
  expect(document.querySelector('iframe')).toBeNull();
  await user.click(play);
  expect(dialog.getByTitle('Take the tour')).toHaveAttribute('src', expect.stringContaining('?autoplay=1&rel=0'));
  await waitFor(() => expect(localStorage.getItem('training-videos-after-click')).not.toBeNull());
});

test('the video of the search stands in its dialog, and Vimeo is told not to track', async () => {
  serve({ search: { ...TOUR, embedCode: 'https://vimeo.com/76543210/ab12cd34ef' } });
  const { user } = renderApp('/search');
  const form = within(await screen.findByRole('dialog', { name: 'New Search' }));
  expect(form.getByLabelText('Business type')).toHaveFocus();
  await user.type(form.getByLabelText('Business type'), 'dentists');
  await user.click(await form.findByRole('button', { name: 'Take the tour' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Take the tour' }));
  expect(dialog.getByTitle('Take the tour')).toHaveAttribute(
    'src',
    'https://player.vimeo.com/video/76543210?dnt=1&h=ab12cd34ef',
  );
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(form.getByLabelText('Business type')).toHaveValue('dentists');
});

test.each([
  ['is inactive', { ...TOUR, isActive: false }],
  ['cannot be read', { ...TOUR, embedCode: '<iframe src="https://evil.example/"></iframe>' }],
])('no button for a video that %s', async (_, video) => {
  const seen = serve({ usage: video });
  renderApp('/usage');
  await screen.findByText('Usage analytics interface coming soon...');
  await waitFor(() => expect(localStorage.getItem(TRAINING_STORAGE_KEY)).toBe(JSON.stringify({ usage: video })));
  expect(seen.map(({ path }) => path)).toContain('/api/training');
  expect(screen.queryByRole('button', { name: 'Take the tour' })).not.toBeInTheDocument();
});

test("the browser's copy is shown while the server is away", async () => {
  localStorage.setItem(TRAINING_STORAGE_KEY, JSON.stringify({ usage: TOUR }));
  stubServer({});
  renderApp('/usage');
  expect(await screen.findByRole('button', { name: 'Take the tour' })).toBeVisible();
});

test("the server's videos replace the copy on any page, even one that cannot be read", async () => {
  localStorage.setItem(TRAINING_STORAGE_KEY, '{"usage":');
  serve({ usage: TOUR });
  renderApp('/lists/7');
  await waitFor(() => expect(localStorage.getItem(TRAINING_STORAGE_KEY)).toBe(JSON.stringify({ usage: TOUR })));
});
