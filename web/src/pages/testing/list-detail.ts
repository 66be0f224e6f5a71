import { screen, within } from '@testing-library/react';
import type { ListRow } from '#contract/work/lists.ts';
import type { Run } from '#contract/work/runs.ts';
import { ok, type SeenRequest, stubServer } from '#web/test-app.tsx';
import { leadAnswers } from './leads-of-list.ts';

/** The id of the list that `serve` has. */
export const PATH = '/lists/list-1';

/** A server with one list, its leads and runs, each of which may be changed during a test. */
export function serve(list: ListRow, leads: unknown[], runs: Run[] = []) {
  const lists = [list];
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /rest/v1/lists': () => Response.json(lists),
    ...leadAnswers(list, leads),
    'GET /api/runs': () => ok({ runs }),
    'GET /api/keys': () =>
      ok({
        apiKeys: ['google_places', 'hunter_io', 'searchbug'].map((provider) => ({ provider, isConnected: true })),
      }),
  };
  return { answers, lists, runs, seen: stubServer(answers) };
}

/** What the server was asked to do, besides counting and exporting. */
export const started = (seen: SeenRequest[]) =>
  seen.filter(({ method, path }) => method === 'POST' && !/\/(estimate|counts|export)$/.test(path));

export const table = async () => within(await screen.findByRole('table'));

/** The first column of the table, without its head. */
export const namesShown = async () =>
  (await table())
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[1]?.textContent);
