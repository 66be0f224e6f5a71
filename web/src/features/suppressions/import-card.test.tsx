import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { MOST_IMPORT_BYTES } from '#contract/imports/imports.ts';
import { createQueryClient } from '#web/lib/query/query-client.ts';
import { ok, refused, seedSession, stubServer } from '#web/test-app.tsx';
import type { Imported } from './api.ts';
import { ImportCard } from './import-card.tsx';

beforeEach(seedSession);

const PATH = '/api/suppressions/import/file';
const NOTHING: Imported = { added: 0, known: 0, wrong: 0, exports: 0, errors: [], ignored: [], otherSheets: [] };

/** Chooses a file, to which the server answers this. Returns what was sent. */
async function choose(answer: () => Response, file = new File(['phone\n'], 'stop.csv', { type: 'text/csv' })) {
  const seen = stubServer({ [`POST ${PATH}`]: answer });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ImportCard />
    </QueryClientProvider>,
  );
  await userEvent.upload(screen.getByLabelText('File to import'), file);
  return seen;
}

test('a file is sent as it is, and what became of it is told', async () => {
  const errors = [{ line: 1_204, text: 'call office', why: 'This is not a US number, and it has no country code.' }];
  const seen = await choose(() => ok({ ...NOTHING, added: 2, wrong: 1, errors }));
  expect(await screen.findByText('2 entries added')).toBeVisible();
  expect(screen.getByText(/^Row 1,204/)).toHaveTextContent(
    'Row 1,204, “call office”: This is not a US number, and it has no country code.',
  );
  expect(seen.map(({ path, headers }) => [path, headers.get('content-type')])).toEqual([
    [PATH, 'application/octet-stream'],
  ]);
});

test('a file without entries says so, and is no success', async () => {
  await choose(() => ok(NOTHING));
  expect(await screen.findByRole('alert')).toHaveTextContent('No entries were found in this file');
  expect(screen.queryByText(/entries added/)).not.toBeInTheDocument();
});

test('what cannot be read is not told as an import that stopped', async () => {
  await choose(() => refused(422, 'VALIDATION_FAILED', 'The file is empty.'));
  expect(await screen.findByText('The file could not be read')).toBeVisible();
  expect(screen.getByText('The file is empty.')).toBeVisible();
});

test('a failure on the way says that what was stored stays', async () => {
  await choose(() => refused(500, 'INTERNAL', 'Something went wrong.'));
  expect(await screen.findByText('The import stopped')).toBeVisible();
  expect(screen.getByText(/Something went wrong. What was stored stays./)).toBeVisible();
});

test('a file that is too large is not sent', async () => {
  const file = new File([''], 'stop.csv');
  Object.defineProperty(file, 'size', { value: MOST_IMPORT_BYTES + 1 });
  const seen = await choose(() => ok(NOTHING), file);
  expect(await screen.findByText('This file is too large')).toBeVisible();
  expect(seen).toEqual([]);
});
