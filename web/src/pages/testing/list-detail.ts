import { screen, within } from '@testing-library/react';
import type { ListRow } from '#contract/work/lists.ts';
import type { Run } from '#contract/work/runs.ts';
import { ok, type SeenRequest, stubServer } from '#web/test-app.tsx';

/** The id of the list that `serve` has. */
export const PATH = '/lists/list-1';

/** A server with one list, its leads and runs, each of which may be changed during a test. */
export function serve(list: ListRow, leads: unknown[], runs: Run[] = []) {
  const lists = [list];
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /rest/v1/lists': () => Response.json(lists),
    'GET /rest/v1/leads': ({ query }) => {
      const from = Number(new URLSearchParams(query).get('offset') ?? 0);
      return Response.json(leads.slice(from, from + 1000));
    },
    'GET /api/runs': () => ok({ runs }),
    'GET /api/keys': () =>
      ok({
        apiKeys: ['google_places', 'hunter_io', 'searchbug'].map((provider) => ({ provider, isConnected: true })),
      }),
  };
  return { answers, lists, runs, seen: stubServer(answers) };
}

/** What was asked of the server, estimates aside. */
export const started = (seen: SeenRequest[]) =>
  seen.filter(({ method, path }) => method === 'POST' && !path.endsWith('/estimate'));

export const table = async () => within(await screen.findByRole('table'));

/** The first column of the table, without its head. */
export const namesShown = async () =>
  (await table())
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[1]?.textContent);
