import { screen, within } from '@testing-library/react';
import { toast } from 'sonner';
import { beforeEach, expect, test } from 'vitest';
import { TRAINING_STORAGE_KEY, type TrainingConfig, type TrainingConfigs } from '#contract/admin/training.ts';
import { ok, refused, renderApp, seedSession, stubServer } from '#web/test-app.tsx';

beforeEach(() => {
  // Toasts belong to the page, not to what a test renders: without this one would see those of the test before.
  toast.dismiss();
  seedSession();
});

const TOUR: TrainingConfig = { title: 'Take the tour', embedCode: 'https://youtu.be/aB3_-xyzQ09', isActive: true };

/** A server with these videos, which `videos` holds. */
function serve(videos: TrainingConfigs) {
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /api/training': () => ok({ videos }),
    'GET /api/admin/training': () => ok({ videos }),
    'PUT /api/admin/training': ({ body }) => {
      const { pageKey, ...video } = body as TrainingConfig & { pageKey: keyof TrainingConfigs };
      videos[pageKey] = video;
      return ok({ pageKey });
    },
    'DELETE /api/admin/training': ({ body }) => {
      const { pageKey } = body as { pageKey: keyof TrainingConfigs };
      delete videos[pageKey];
      return ok({ pageKey });
    },
  };
  return { answers, seen: stubServer(answers) };
}

const stored = () => JSON.parse(localStorage.getItem(TRAINING_STORAGE_KEY) ?? 'null');
const EMPTY_TEXT = 'No training videos configured yet. Add your first one above.';

async function openForm(button: string | RegExp) {
  const { user } = renderApp('/admin/training');
  await user.click(await screen.findByRole('button', { name: button }));
  return { user, form: within(await screen.findByRole('dialog')) };
}

test('a first video is added: checked, sent, told, shown and kept in this browser', async () => {
  const { seen } = serve({});
  const { user, form } = await openForm('Add Training Video');
  expect(screen.getByText(EMPTY_TEXT)).toBeInTheDocument();

  await user.click(form.getByRole('button', { name: 'Add Video' }));
  expect(await screen.findByText('Validation Error')).toBeVisible();
  expect(screen.getByText('Please fill in all required fields.')).toBeVisible();
  expect(form.getAllByText('Required')).toHaveLength(3);

  await user.click(form.getByRole('combobox', { name: 'Page Location' }));
  await user.click(await screen.findByRole('option', { name: 'Usage Analytics' }));
  await user.type(form.getByLabelText('Button Title'), '  Read your figures ');
  const code = form.getByLabelText('Embed Code');
  await user.type(code, 'https://youtube.com.evil.example/watch?v=aB3_-xyzQ09');
  await user.click(form.getByRole('button', { name: 'Add Video' }));
  expect(await screen.findByText('Invalid URL')).toBeVisible();
  expect(form.getByText('Please enter a valid YouTube or Vimeo URL.')).toBeVisible();
  expect(code).toBeInvalid();
  expect(seen.some(({ method }) => method === 'PUT')).toBe(false);

  await user.clear(code);
  await user.type(code, 'vimeo.com/76543210');
  expect(form.getByText('Vimeo video 76543210')).toBeVisible();
  await user.click(form.getByRole('button', { name: 'Add Video' }));
  expect(await screen.findByText('Training video added successfully.')).toBeVisible();
  const video = { title: 'Read your figures', embedCode: 'vimeo.com/76543210', isActive: true };
  expect(seen.find(({ method }) => method === 'PUT')?.body).toEqual({ pageKey: 'usage', ...video });
  const row = within(screen.getByRole('row', { name: /Usage Analytics/ }));
  expect(row.getByText('Read your figures')).toBeVisible();
  expect(row.getByText('Active')).toBeVisible();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(stored()).toEqual({ usage: video });
});

test('only pages without a video are offered', async () => {
  serve({ dashboard: TOUR, account: TOUR });
  const { user, form } = await openForm('Add Training Video');
  await user.click(form.getByRole('combobox', { name: 'Page Location' }));
  const offered = await screen.findAllByRole('option');
  expect(offered.map((option) => option.textContent)).toEqual([
    'New Search',
    'Settings',
    'Usage Analytics',
    'Training Editor',
  ]);
});

test('when every page has a video, none can be added', async () => {
  serve({ dashboard: TOUR, search: TOUR, settings: TOUR, usage: TOUR, account: TOUR, training: TOUR });
  renderApp('/admin/training');
  expect(await screen.findByText(/Every page has a video/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Add Training Video' })).not.toBeInTheDocument();
});

test('editing keeps the page, and can take the video off it', async () => {
  const { seen } = serve({ dashboard: TOUR });
  const { user, form } = await openForm('Edit video of Dashboard');
  const page = form.getByRole('combobox', { name: 'Page Location' });
  expect(page).toHaveTextContent('Dashboard');
  expect(page).toBeDisabled();
  expect(form.getByLabelText('Embed Code')).toHaveValue(TOUR.embedCode);
  await user.click(form.getByRole('switch', { name: 'Active' }));
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Training video updated successfully.')).toBeVisible();
  expect(seen.find(({ method }) => method === 'PUT')?.body).toEqual({ pageKey: 'dashboard', ...TOUR, isActive: false });
  expect(screen.getByText('Inactive')).toBeVisible();
});

test('what the server refuses stays in the form, with the reason', async () => {
  const { answers } = serve({ dashboard: TOUR });
  answers['PUT /api/admin/training'] = () => refused(503, 'UNAVAILABLE', 'The database cannot be reached.');
  const { user, form } = await openForm('Edit video of Dashboard');
  await user.type(form.getByLabelText('Button Title'), ' again');
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText('The database cannot be reached.')).toBeVisible();
  expect(form.getByLabelText('Button Title')).toHaveValue('Take the tour again');
});

test('deleting asks first, naming video and page', async () => {
  const { seen } = serve({ dashboard: TOUR });
  const { user } = renderApp('/admin/training');
  await user.click(await screen.findByRole('button', { name: 'Delete video of Dashboard' }));
  const confirm = screen.getByRole('alertdialog');
  expect(confirm).toHaveTextContent('Are you sure you want to delete “Take the tour” of Dashboard?');
  expect(seen.some(({ method }) => method === 'DELETE')).toBe(false);
  await user.click(within(confirm).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Training video deleted successfully.')).toBeVisible();
  expect(await screen.findByText(EMPTY_TEXT)).toBeVisible();
  expect(stored()).toEqual({});
});

test('a deletion that fails says so and keeps the video', async () => {
  const { answers } = serve({ dashboard: TOUR });
  answers['DELETE /api/admin/training'] = () => refused(503, 'UNAVAILABLE', 'The database cannot be reached.');
  const { user } = renderApp('/admin/training');
  await user.click(await screen.findByRole('button', { name: 'Delete video of Dashboard' }));
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('The video could not be deleted')).toBeVisible();
  expect(screen.getByText('The database cannot be reached.')).toBeVisible();
  expect(screen.getByRole('row', { name: /Dashboard/ })).toBeVisible();
});

test('someone who is no administrator is refused by the server', async () => {
  const { answers } = serve({ dashboard: TOUR });
  answers['GET /api/admin/training'] = () => refused(403, 'FORBIDDEN', 'Only administrators can do this.');
  renderApp('/admin/training');
  expect(await screen.findByText('Administrators only')).toBeVisible();
  expect(screen.queryByText('Take the tour')).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Add Training Video' })).not.toBeInTheDocument();
});

test('videos that cannot be read: the reason, and another try', async () => {
  const { answers } = serve({ dashboard: TOUR });
  const good = answers['GET /api/admin/training'];
  answers['GET /api/admin/training'] = () => refused(429, 'RATE_LIMITED', 'Too many requests.');
  const { user } = renderApp('/admin/training');
  expect(await screen.findByText('The training videos could not be loaded')).toBeVisible();
  expect(screen.getByText('Too many requests.')).toBeVisible();
  if (good) answers['GET /api/admin/training'] = good;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Take the tour')).toBeVisible();
});

test('an administrator has videos wait for a click', async () => {
  const { answers } = serve({});
  let afterClick = false;
  answers['GET /api/admin/training'] = () => ok({ videos: {}, afterClick });
  answers['PUT /api/admin/training/loading'] = ({ body }) => {
    ({ afterClick } = body as { afterClick: boolean });
    return ok({ afterClick });
  };
  const { user } = renderApp('/admin/training');
  const setting = await screen.findByRole('switch', { name: /Load videos only after a click/ });
  expect(setting).not.toBeChecked();
  await user.click(setting);
  expect(await screen.findByText('Videos now load only after a click on Play.')).toBeVisible();
  expect(setting).toBeChecked();
});
