import { readFile } from 'node:fs/promises';
import type { Download, Locator, Page } from 'playwright-core';

/** Waits until something is to be seen. */
export const see = (what: Locator): Promise<void> => what.first().waitFor({ state: 'visible' });
/** Waits until something is not to be seen anymore. */
export const gone = (what: Locator): Promise<void> => what.first().waitFor({ state: 'hidden' });
/** Waits until something has the focus. */
export const focused = (what: Locator): Promise<void> => see(what.and(what.page().locator(':focus')));
/** Waits for a text. */
export const read = (page: Page | Locator, text: string | RegExp): Promise<void> => see(page.getByText(text));

export const card = (page: Page, list: string): Locator =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: list, exact: true }) });

export const toast = (page: Page, title: string | RegExp): Locator =>
  page.locator('[data-sonner-toast]').filter({ hasText: title });

/** Goes on with Tab until something has the focus; fails after more stops than any dialog or page head has. */
export async function tabTo(what: Locator): Promise<void> {
  const page = what.page();
  for (let stops = 0; stops < 40; stops += 1) {
    if ((await what.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${what}.`);
}

/** Waits until the page is at this path, query and hash. */
export const arriveAt = (page: Page, address: string | RegExp): Promise<void> =>
  page.waitForURL((url) => {
    const reached = url.href.slice(url.origin.length);
    return typeof address === 'string' ? reached === address : address.test(reached);
  });

/** Connects a provider, or changes its key, on the settings page. Leaves the dialog as the answer left it. */
export async function typeKey(page: Page, provider: string, key: string): Promise<Locator> {
  const region = page.getByRole('region', { name: provider });
  await region.getByRole('button', { name: /^(Connect|Edit)$/ }).click();
  const dialog = page.getByRole('dialog', { name: provider });
  await dialog.getByLabel(/API key/i).fill(key);
  await dialog.getByRole('button', { name: /^(Test & Save|Update)$/ }).click();
  return dialog;
}

/** Fills the New Search dialog, which is open. */
export async function fillSearch(
  page: Page,
  { what, where, radius, max }: { what: string; where: string; radius?: string; max?: string },
): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: 'New Search' });
  await dialog.getByLabel('Business type').fill(what);
  await dialog.getByLabel('Location').fill(where);
  if (radius) await choose(page, dialog.getByLabel('Search radius'), `${radius} miles`);
  if (max) await choose(page, dialog.getByLabel('Max results'), `${max} leads`);
  return dialog;
}

/** Chooses an option of a select. */
export async function choose(page: Page, select: Locator, option: string): Promise<void> {
  await select.click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** What a closed list offers. Its options come after the page, when it is first opened. */
export async function optionsOf(page: Page, select: Locator): Promise<string[]> {
  await select.click();
  await see(page.getByRole('option'));
  const options = await page.getByRole('option').allInnerTexts();
  await page.keyboard.press('Escape');
  await gone(page.getByRole('option'));
  return options;
}

/** Chooses from the menu of a list. */
export async function chooseFromMenu(page: Page, list: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${list}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** What pressing something downloads. */
export async function download(page: Page, press: () => Promise<void>): Promise<{ name: string; text: string }> {
  const coming: Promise<Download> = page.waitForEvent('download');
  await press();
  const file = await coming;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

/** Chooses Hunter alone in the enrichment dialog: most websites of the sandbox would tell an address themselves. */
export async function chooseHunterAlone(page: Page): Promise<void> {
  for (const place of ['Open data', 'The business’s own website'])
    await page.getByRole('switch', { name: place }).setChecked(false);
}
