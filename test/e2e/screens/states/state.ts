import type { Page } from 'playwright-core';
import type { Site } from '#test/e2e/harness/site.ts';
import { card, see } from '#test/e2e/harness/steps.ts';
import type { People } from '#test/e2e/screens/people.ts';

/** A state of a screen: whose browser shows it, and how to get there. `page` is at any other state before. */
export type State = {
  name: string;
  as: 'stranger' | 'newcomer' | 'regular' | 'spender' | 'caller' | 'admin';
  reach: (page: Page, around: { site: Site; people: People }) => Promise<void>;
};

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
export const PLAIN = 'dentist in Springfield, IL';

/** A page that has asked for nothing for this long shows what it has, in ms. */
const QUIET_MS = 150;

/** Opens a page and waits until it has what it asked the server for. */
export async function open(page: Page, path: string): Promise<void> {
  let waitingFor = 0;
  let lastChange = Date.now();
  const count = (change: 1 | -1) => () => {
    waitingFor = Math.max(0, waitingFor + change);
    lastChange = Date.now();
  };
  const [begins, ends] = [count(1), count(-1)];
  page.on('request', begins).on('requestfinished', ends).on('requestfailed', ends);
  try {
    await page.goto(path);
    await see(page.getByRole('heading', { level: 1 }));
    while (waitingFor > 0 || Date.now() - lastChange < QUIET_MS) await page.waitForTimeout(QUIET_MS / 3);
  } finally {
    page.off('request', begins).off('requestfinished', ends).off('requestfailed', ends);
  }
}

export async function openList(page: Page, people: People, list: keyof People['lists']): Promise<void> {
  await page.goto(`/lists/${people.lists[list]}`);
  await see(page.getByRole('heading', { level: 1 }));
  await see(list === 'empty' ? page.getByText('No leads found') : page.getByRole('row').nth(10));
}

export async function chooseFromCard(page: Page, item: string): Promise<void> {
  await open(page, '/');
  await card(page, PLAIN)
    .getByRole('button', { name: /^More actions/ })
    .click();
  await page.getByRole('menuitem', { name: item }).click();
}
