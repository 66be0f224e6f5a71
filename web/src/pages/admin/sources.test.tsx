import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { OpenImport } from '#contract/admin/open-data.ts';
import type { OpenRelease } from '#contract/work/open-data.ts';
import { ok, refused, renderApp, seedSession, stubServer } from '#web/test-app.tsx';

const AT = '2026-11-24T18:00:00.000Z';
const anImport = (more: Partial<OpenImport>): OpenImport => ({
  id: 1,
  name: 'Overture Places',
  release: '2026-11-01',
  sandbox: true,
  files: ['places.parquet'],
  state: 'running',
  atWork: false,
  rowsRead: 0,
  placesRead: 0,
  unusable: 0,
  added: null,
  changed: null,
  gone: null,
  same: null,
  message: null,
  startedAt: AT,
  finishedAt: null,
  ...more,
});
const aSource: OpenRelease = {
  id: 1,
  source: 'overture',
  name: 'Overture Places',
  release: '2026-11-01',
  license: 'CDLA-Permissive-2.0',
  attribution: 'Overture Maps Foundation',
  sandbox: true,
  loadedAt: AT,
  count: 12_467,
  searched: 'first',
};

beforeEach(seedSession);

async function openPage() {
  const seen = stubServer({
    'GET /api/sources': () => ok({ sources: [] }),
    'GET /api/admin/open-data/imports': () =>
      ok({
        folder: '/data/open-data',
        files: ['places.parquet', 'chamber.csv'].map((name) => ({ name, bytes: 5_000 })),
        imports: [],
      }),
    'POST /api/admin/open-data/imports': () => ok({ started: true }),
  });
  const { user } = renderApp('/admin/sources');
  await user.click(await screen.findByRole('checkbox', { name: 'places.parquet' }));
  const sent = () => seen.filter(({ method }) => method === 'POST').map(({ body }) => body);
  return { user, sent, load: () => screen.getByRole('button', { name: 'Load 1 file' }) };
}

test('files are loaded as a new release, of everything and everywhere, unless something else is said', async () => {
  const { user, sent, load } = await openPage();
  expect(screen.getByRole('radio', { name: 'A new release' })).toBeChecked();
  await user.click(load());
  expect(sent()).toEqual([{ files: ['places.parquet'] }]);
});

test('an area and a state are sent, and that the files are everything there is', async () => {
  const { user, sent, load } = await openPage();
  await user.type(screen.getByLabelText('Only one area'), ' -89.8, 39.6,-89.5,39.9');
  await user.type(screen.getByLabelText('Only one state'), 'il');
  await user.click(screen.getByRole('radio', { name: 'The complete data' }));
  await user.click(load());
  expect(sent()).toEqual([
    {
      files: ['places.parquet'],
      state: 'il',
      bbox: { west: -89.8, south: 39.6, east: -89.5, north: 39.9 },
      missing: 'whole',
    },
  ]);
  await user.click(screen.getByRole('radio', { name: 'Only a part' }));
  await user.click(load());
  expect(sent()[1]).toMatchObject({ missing: 'part' });
});

test.each(['1,2,3', '-89.8,39.9,-89.5,39.6'])('what is no area is said at once, and not sent: %s', async (area) => {
  const { user, load } = await openPage();
  await user.type(screen.getByLabelText('Only one area'), area);
  expect(screen.getByLabelText('Only one area')).toBeInvalid();
  expect(load()).toBeDisabled();
  await user.tab();
  expect(await screen.findByText(/^Enter four degrees: west, south, east and north/)).toBeVisible();
  await user.clear(screen.getByLabelText('Only one area'));
  expect(load()).toBeEnabled();
});

test.each([
  ['Source', 'Chamber', 'chamber', 'Use lower-case letters, digits and hyphens.'],
  ['Only one state', 'Illinois', 'IL', 'A state has two letters, such as IL.'],
  ['Release', 'x'.repeat(61), '2026-09-23', 'Use at most 60 characters.'],
])('what %s cannot be is said at the field, and not sent', async (label, wrong, right, words) => {
  const { user, sent } = await openPage();
  await user.click(screen.getByRole('checkbox', { name: 'chamber.csv' }));
  const load = screen.getByRole('button', { name: 'Load 2 files' });
  await user.type(screen.getByLabelText(label), wrong);
  expect(load).toBeDisabled();
  await user.tab();
  expect(screen.getByLabelText(label)).toHaveAccessibleDescription(expect.stringContaining(words));
  await user.clear(screen.getByLabelText(label));
  await user.type(screen.getByLabelText(label), right);
  await user.click(load);
  expect(sent()).toEqual([expect.objectContaining({ files: ['places.parquet', 'chamber.csv'] })]);
});

test('what an import brings is shown as loaded once it has ended', async () => {
  const places = { imports: [] as OpenImport[], sources: [] as OpenRelease[] };
  stubServer({
    'GET /api/sources': () => ok({ sources: places.sources }),
    'GET /api/admin/open-data/imports': () =>
      ok({ folder: '/data/open-data', files: [{ name: 'places.parquet', bytes: 5_000 }], imports: places.imports }),
    'POST /api/admin/open-data/imports': () => {
      places.imports = [anImport({ atWork: true })];
      return ok({ started: true });
    },
  });
  const { user } = renderApp('/admin/sources');
  await user.click(await screen.findByRole('checkbox', { name: 'places.parquet' }));
  await user.click(screen.getByRole('button', { name: 'Load 1 file' }));
  expect(await screen.findByText('Loading')).toBeVisible();
  expect(screen.getByText('Nothing yet. Choose files below.')).toBeVisible();
  places.imports = [anImport({ state: 'completed', added: 12_467, changed: 0, gone: 0, same: 0 })];
  places.sources = [aSource];
  expect(await screen.findByText(/12,467 places/, {}, { timeout: 5_000 })).toBeVisible();
});

test('imports that cannot be read are said once, and nothing goes on loading', async () => {
  stubServer({
    'GET /api/sources': () => ok({ sources: [] }),
    'GET /api/admin/open-data/imports': () => refused(422, 'VALIDATION_FAILED'),
  });
  renderApp('/admin/sources');
  expect(await screen.findByText('The folder could not be read')).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Imports' })).not.toBeInTheDocument();
});
