import { screen, within } from '@testing-library/react';
import type { ListRow } from '#contract/work/lists.ts';
import type { Run } from '#contract/work/runs.ts';
import { ok, type renderApp, stubServer } from '#web/test-app.tsx';
import { aListRow, leadRows } from '#web/test-data.ts';
import { leadAnswers } from './leads-of-list.ts';

export type Connected = { google_places?: boolean; hunter_io?: boolean; searchbug?: boolean };
export const ALL_KEYS: Connected = { google_places: true, hunter_io: true, searchbug: true };

/** A server with these lists; `lists` and `runs` may be changed during a test. */
export function serve(lists: ListRow[], { runs = [], keys = ALL_KEYS }: { runs?: Run[]; keys?: Connected } = {}) {
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /rest/v1/lists': () => Response.json(lists),
    ...leadAnswers(aListRow(), leadRows(3)),
    'GET /api/runs': () => ok({ runs }),
    'GET /api/keys': () =>
      ok({ apiKeys: Object.entries(keys).map(([provider, isConnected]) => ({ provider, isConnected })) }),
  };
  return { answers, lists, runs, seen: stubServer(answers) };
}

/** The card of a list. */
export const card = async (name: string) => {
  const link = await screen.findByRole('link', { name });
  const article = link.closest('article');
  if (!article) throw new Error(`${name} has no card`);
  return within(article);
};
export const dialog = async () => within(await screen.findByRole('dialog'));

export type User = ReturnType<typeof renderApp>['user'];

/** Types what is searched for into the New Search dialog, which is open. */
export async function fillSearch(user: User) {
  const form = await dialog();
  await user.type(form.getByLabelText('Business type'), 'dentists');
  await user.type(form.getByLabelText('Location'), 'Springfield, IL');
}

/** A double click, as impatient people do: it must count once. */
export async function startSearch(user: User) {
  await fillSearch(user);
  await user.dblClick((await dialog()).getByRole('button', { name: 'Start Search' }));
}
