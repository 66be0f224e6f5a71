import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Import, ImportFile } from '#contract/imports/imports.ts';
import { ok, renderApp, seedSession, stubServer } from '#web/test-app.tsx';

beforeEach(seedSession);

const ID = 'f1';
const FILE: ImportFile = {
  importId: ID,
  name: 'clients.csv',
  rows: 4,
  columns: [],
  mapping: {},
  remembered: false,
  importedBefore: null,
  hasHeader: true,
  encoding: 'UTF-8',
  delimiter: ',',
  duplicates: 0,
  inFile: 0,
  inLists: 0,
  suppressed: 0,
  errors: 0,
  problems: [],
  preview: [],
  otherSheets: [],
};

const IMPORT: Import = {
  id: ID,
  name: FILE.name,
  state: 'ready',
  rows: 4,
  done: 0,
  added: 0,
  updated: 0,
  skipped: 0,
  errors: 0,
  duplicates: null,
  retention: 'archive',
  listId: null,
  listName: null,
  failure: null,
  otherSheets: [],
  finishedAt: null,
  createdAt: '2026-11-26T12:00:00.000Z',
};

/** A server on which the file waits until it is started or discarded. */
async function review(file = FILE) {
  let waits = true;
  const end = (data: object) => {
    waits = false;
    return ok(data);
  };
  const seen = stubServer({
    'GET /api/imports': () => ok({ imports: [] }),
    [`GET /api/imports/${ID}`]: () => ok({ ...IMPORT, file: waits ? file : null, filledSince: 0 }),
    [`POST /api/imports/${ID}/start`]: () => end({ listId: 'l1' }),
    [`POST /api/imports/${ID}/cancel`]: () => end({ canceled: true }),
  });
  const app = renderApp(`/imports?file=${ID}`);
  await screen.findByRole('heading', { name: 'clients.csv' });
  return { ...app, readsOfFile: () => seen.filter(({ path }) => path === `/api/imports/${ID}`).length };
}

test('a file that is started is told of, and the page takes the next one', async () => {
  const { user, router, readsOfFile } = await review();
  await user.click(screen.getByRole('button', { name: 'Import 4 rows' }));
  expect(await screen.findByText('We are importing 4 rows into “clients”.')).toBeVisible();
  expect(await screen.findByText('Drop a file here, or choose one')).toBeVisible();
  expect(router.state.location.search).toBe('');
  expect(readsOfFile()).toBe(1);
  // Anyone who goes back to it is told.
  await router.navigate(-1);
  expect(await screen.findByText('This file was started or discarded')).toBeVisible();
});

test('a file that is discarded is not asked for again', async () => {
  const { user, router, readsOfFile } = await review();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(await screen.findByText('Drop a file here, or choose one')).toBeVisible();
  expect(router.state.location.search).toBe('');
  expect(readsOfFile()).toBe(1);
});

test('a column that says who must not be called is not passed over in silence', async () => {
  const columns = ['Do Not Call', 'OK to call', 'Unsubscribed'].map((header) => ({
    header,
    guess: 'extra' as const,
    sample: ['TRUE'],
  }));
  await review({ ...FILE, columns });
  expect(screen.getByText('Fairlead does not let you call where “Do Not Call” is not a clear no')).toBeVisible();
  expect(screen.getAllByText(/The block ends when the leads that say so are deleted/)).toHaveLength(2);
  expect(screen.getByText('Fairlead does not let you call where “OK to call” is a clear no')).toBeVisible();
  expect(screen.getByText('Fairlead does not act on “Unsubscribed”')).toBeVisible();
});

test('sheets of which nothing is read are named', async () => {
  await review({ ...FILE, otherSheets: ['Boston', 'Chicago'] });
  expect(screen.getByText('Nothing is read from 2 other sheets')).toBeVisible();
  expect(screen.getByText(/Not read: “.Boston.”, “.Chicago.”/)).toBeVisible();
});

test('sheets of which nothing was read are named once the import is done', async () => {
  const done: Import = { ...IMPORT, state: 'completed', otherSheets: ['Boston'] };
  stubServer({ 'GET /api/imports': () => ok({ imports: [done] }) });
  renderApp('/imports');
  expect(await screen.findByText(/^Not read: the sheet “.Boston.”$/)).toBeVisible();
});

test('an import that failed says why', async () => {
  const failure = '0 of 4 rows are done. Something went wrong on our side.';
  stubServer({ 'GET /api/imports': () => ok({ imports: [{ ...IMPORT, state: 'failed', failure }] }) });
  renderApp('/imports');
  expect(await screen.findByText('Failed')).toBeVisible();
  expect(screen.getByText(failure)).toBeVisible();
});

test('an import that was undone in another tab is not told as one that removed nothing', async () => {
  const done = { ...IMPORT, state: 'completed', added: 4, finishedAt: IMPORT.createdAt };
  stubServer({
    'GET /api/imports': () => ok({ imports: [done] }),
    [`GET /api/imports/${ID}`]: () => ok({ ...done, file: null, filledSince: 0 }),
    [`POST /api/imports/${ID}/undo`]: () => ok({ removed: 0, restored: 0, changedSince: 0 }),
  });
  const { user } = renderApp('/imports');
  await user.click(await screen.findByRole('button', { name: 'Undo clients.csv' }));
  const confirm = await screen.findByRole('button', { name: 'Undo import' });
  await waitFor(() => expect(confirm).toBeEnabled());
  await user.click(confirm);
  expect(await screen.findByText('Nothing of it was left in your lists.')).toBeVisible();
});
