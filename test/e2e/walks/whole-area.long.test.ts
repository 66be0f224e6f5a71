import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkAccessibility, setUpJourney } from '#test/e2e/harness/journey.ts';
import { arriveAt, card, choose, download, gone, read, see, toast } from '#test/e2e/harness/steps.ts';
import { readCalls } from '#test/lists.ts';

const journey = setUpJourney();

/** A square around the sandbox's city of a known size. */
const SQUARE = JSON.stringify({
  type: 'Polygon',
  coordinates: [
    [
      [-98.6, 38.4],
      [-98.4, 38.4],
      [-98.4, 38.6],
      [-98.6, 38.6],
      [-98.6, 38.4],
    ],
  ],
});

/** A circle around it, as finely drawn as other programs draw. */
const circle = (points: number) => {
  const ring = Array.from({ length: points - 1 }, (_, at) => {
    const turn = (2 * Math.PI * at) / (points - 1);
    return [-98.5 + 0.15 * Math.cos(turn), 38.5 + 0.12 * Math.sin(turn)].map((degrees) => Number(degrees.toFixed(6)));
  });
  return JSON.stringify({ type: 'Polygon', coordinates: [[...ring, ring[0]]] });
};

async function openForm(page: Page) {
  await page.goto('/search');
  const dialog = page.getByRole('dialog', { name: 'New Search' });
  await dialog.getByLabel('Business type').fill('dentist');
  await choose(page, dialog.getByLabel('Max results'), 'All in the area');
  return dialog;
}

test('all businesses of an area are counted free of charge, priced, bought, and certified', async () => {
  const session = await journey.person('surveyor');
  await journey.site.connect(session, 'google_places', 'sandbox-city-150-surveyor');
  const visitor = await journey.visit({ session });
  const { page } = visitor;
  const dialog = await openForm(page);
  await choose(page, dialog.getByLabel('Area', { exact: true }), 'A shape, drawn or pasted');
  await dialog.getByLabel('Shape').fill(SQUARE);
  const begin = dialog.getByRole('button', { name: 'Count this area (free)' });
  await see(begin);
  await checkAccessibility(page);
  await expect.poll(() => dialog.getByRole('button', { name: 'Start Search' }).isDisabled()).toBe(true);
  await begin.dblclick();
  await read(dialog, /^\d+ places? so far/);

  // It goes on while the dialog is closed.
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const again = await openForm(page);
  await choose(page, again.getByLabel('Area', { exact: true }), 'A shape, drawn or pasted');
  await again.getByLabel('Shape').fill(SQUARE);
  await read(again, /^150 places · none in your lists yet · \d+ pages to pay for/);
  expect(await readCalls(journey.db, session.userId)).toEqual([]);
  await checkAccessibility(page);
  await again.getByRole('button', { name: 'Start Search' }).click();

  const list = card(page, 'dentist in a drawn area');
  await read(list, '150 leads');
  await list.getByRole('link').first().click();
  await page.getByRole('link', { name: 'Show certificate' }).click();
  await arriveAt(page, /\/coverage$/);
  await read(page, /cover its frame exactly/);
  await read(page, 'Places found');
  await page.getByRole('button', { name: 'Ask Places Aggregate ($0.01)' }).dblclick();
  await read(page, '150 places by Places Aggregate · 150 found here');
  await checkAccessibility(page);
  const { text } = await download(page, () => page.getByRole('button', { name: 'Save as JSON' }).click());
  expect(JSON.parse(text)).toMatchObject({
    queries: ['dentist'],
    uniqueIds: 150,
    partition: { exact: true },
    gaps: [],
  });
});

test('a drawn area that was counted is found again without drawing it', async () => {
  const session = await journey.person('returner');
  await journey.site.connect(session, 'google_places', 'sandbox-city-100-returner');
  const { page } = await journey.visit({ session });
  const dialog = await openForm(page);
  await dialog.getByLabel('Business type').fill('dentist, plumber');
  await choose(page, dialog.getByLabel('Area', { exact: true }), 'A shape, drawn or pasted');
  await dialog.getByLabel('Shape').fill(SQUARE);
  await dialog.getByRole('button', { name: 'Count this area (free)' }).click();
  await read(dialog, /^\d+ places? so far/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const again = await openForm(page);
  await again.getByLabel('Counted before').click();
  await page.getByRole('option', { name: /^dentist, plumber · A drawn area · / }).click();
  await read(again, /^100 places · none in your lists yet/);
  expect(await again.getByLabel('Business type').inputValue()).toBe('dentist, plumber');
  expect(await again.getByLabel('Shape').inputValue()).toContain('-98.6');
  await checkAccessibility(page);
  await again.getByRole('button', { name: 'Start Search' }).click();
  await read(card(page, 'dentist, plumber in a drawn area'), '100 leads');
  const last = await openForm(page);
  await see(last.getByLabel('Area', { exact: true }));
  await gone(last.getByLabel('Counted before'));
});

test('a shape of 1,000 points is searched, and can be searched for again', async () => {
  const session = await journey.person('draftsman');
  await journey.site.connect(session, 'google_places', 'sandbox-city-100-draftsman');
  const { page } = await journey.visit({ session });
  const dialog = await openForm(page);
  await choose(page, dialog.getByLabel('Area', { exact: true }), 'A shape, drawn or pasted');
  await dialog.getByLabel('Shape').fill(circle(10_001));
  await read(dialog, 'This shape has 10,001 points. The most is 10,000: simplify its lines.');
  await dialog.getByLabel('Shape').fill(circle(1_000));
  await read(dialog, '1,000 points');
  await dialog.getByRole('button', { name: 'Count this area (free)' }).click();
  await read(dialog, /^100 places · none in your lists yet/);
  await dialog.getByRole('button', { name: 'Start Search' }).click();
  const list = card(page, 'dentist in a drawn area');
  await read(list, '100 leads');
  await journey.db.updateTable('lists').set({ status: 'failed' }).where('user_id', '=', session.userId).execute();
  const ofSearch = journey.db.updateTable('app.runs').set({ state: 'failed' }).where('kind', '=', 'search');
  await ofSearch.where('user_id', '=', session.userId).execute();
  await page.reload();
  await list.getByRole('button', { name: 'Retry' }).click();
  await read(page.getByRole('alertdialog'), /^100 places · 0 not in your lists yet · nothing left to pay for/);
});

test('areas that are none are refused in words, and nothing is lost', async () => {
  const session = await journey.person('clumsy');
  await journey.site.connect(session, 'google_places', 'sandbox-clumsy');
  const visitor = await journey.visit({ session });
  visitor.expectFailure(/^422 POST \/api\/(search-leads\/count|areas\/outline)$/);
  const { page } = visitor;
  const dialog = await openForm(page);
  await choose(page, dialog.getByLabel('Area', { exact: true }), 'ZIP codes');
  await dialog.getByLabel('ZIP codes').fill('62701, 6270');
  await read(dialog, '“6270” is not a ZIP code of five digits');
  await dialog.getByLabel('ZIP codes').fill('62701 00000');
  await read(dialog, 'These ZIP codes do not exist: 00000. Correct or remove them.');
  await dialog.getByLabel('ZIP codes').fill('62701');
  await see(dialog.getByRole('button', { name: 'Count this area (free)' }));

  await choose(page, dialog.getByLabel('Area', { exact: true }), 'A county');
  await choose(page, dialog.getByLabel('State'), 'Illinois');
  await choose(page, dialog.getByLabel('County'), 'Cook County');
  await see(dialog.getByRole('button', { name: 'Count this area (free)' }));
  await choose(page, dialog.getByLabel('Area', { exact: true }), 'A state');
  await choose(page, dialog.getByLabel('State'), 'Delaware');
  await see(dialog.getByRole('button', { name: 'Count this area (free)' }));
  await choose(page, dialog.getByLabel('Max results'), '60 leads');
  await expect.poll(() => dialog.getByLabel('Location').inputValue()).toBe('');
});

test('a count that met the day’s limit goes on the next day, if its owner says so', async () => {
  const session = await journey.person('patient');
  await journey.site.connect(session, 'google_places', 'sandbox-city-120-patient');
  const { page } = await journey.visit({ session });
  const shape = async () => {
    const dialog = await openForm(page);
    await choose(page, dialog.getByLabel('Area', { exact: true }), 'A shape, drawn or pasted');
    await dialog.getByLabel('Shape').fill(SQUARE);
    return dialog;
  };
  await (await shape()).getByRole('button', { name: 'Count this area (free)' }).click();
  await read(page, /^120 places · /);
  await journey.db
    .updateTable('app.surveys')
    .set({ state: 'stopped', why: 'The Google quota of this key is used up.', out_of_quota: true })
    .where('user_id', '=', session.userId)
    .execute();
  const dialog = await shape();
  await dialog.getByRole('button', { name: 'Continue tomorrow (free)' }).click();
  await read(dialog, /quota of this key is used up\. It continues by itself on /);
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Do not continue by itself' }).click();
  await dialog.getByRole('button', { name: 'Continue counting (free)' }).click();
  await read(dialog, /^120 places · /);
});

test('what a limit left is bought afterwards, gaps are finished, and the list is merged', {
  timeout: 180_000,
}, async () => {
  const session = await journey.person('thorough');
  await journey.site.connect(session, 'google_places', 'sandbox-city-200-patchy-thorough');
  const { page } = await journey.visit({ session });
  const dialog = await openForm(page);
  await dialog.getByLabel('Business type').fill('plumber');
  await choose(page, dialog.getByLabel('Area', { exact: true }), 'A shape, drawn or pasted');
  await dialog.getByLabel('Shape').fill(SQUARE);
  await dialog.getByRole('button', { name: 'Count this area (free)' }).click();
  await read(dialog, /parts? of the area could not be counted\./);
  await checkAccessibility(page);
  await expect.poll(() => dialog.getByRole('button', { name: 'Start Search' }).isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Count the rest (free)' }).click();
  await read(dialog, /^\d+ places · none in your lists yet/);
  await read(dialog, /parts? of the area could not be counted\./);
  await checkAccessibility(page);
  await dialog.getByLabel('Spend at most').fill('0.08');
  await dialog.getByRole('button', { name: 'Start Search' }).click();
  const list = card(page, 'plumber in a drawn area');
  await read(list, /^\d\d leads$/);
  await list.getByRole('link').first().click();
  await read(page, /^\d+ pages? with up to \d+ places?/);
  await checkAccessibility(page);

  await page.getByRole('button', { name: 'Buy the rest' }).click();
  const rest = page.getByRole('alertdialog');
  await read(rest, /^200 places · 160 not in your lists yet/);
  await rest.getByRole('button', { name: 'Finish the rest' }).click();
  await read(page, /200 leads/);
  await gone(page.getByRole('button', { name: 'Buy the rest' }));

  await page.getByRole('button', { name: 'More actions for plumber in a drawn area' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await see(toast(page, 'Duplicated'));
  await page.goto('/');
  const copy = card(page, 'plumber in a drawn area (copy)');
  await copy.getByRole('button', { name: /^More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Merge into Another List' }).click();
  const merge = page.getByRole('dialog', { name: 'Merge into another list' });
  await choose(page, merge.getByLabel('Into'), 'plumber in a drawn area');
  await checkAccessibility(page);
  await merge.getByRole('button', { name: 'Merge and archive' }).click();
  await read(toast(page, 'Lists merged'), /200 leads were there already\..* is archived\./);
  await list.getByRole('link').first().click();
  await read(page, 'merged with “plumber in a drawn area (copy)”');
});
