import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { readCalls } from '#test/lists.ts';
import { checkAccessibility, type Journey } from './journey.ts';
import type { Session } from './site.ts';
import { card, fillSearch, gone, read, toast, typeKey } from './steps.ts';

export const LIST = 'dentist in Springfield, IL';
export const TOWN = { what: 'dentist', where: 'Springfield, IL', max: '20' };

/** A failed search, enrichment or check has an error status. */
export const REFUSAL = /^(402|409|422|424|429|5\d\d|404|400) POST \/api\//;

/** Ten dentists with sites and numbers of their own. */
export const TEN = Array.from({ length: 10 }, (_, index) => ({
  business_name: `Dentist ${index}`,
  phone: `+1 217-555-011${index}`,
  website: `https://dentist-${index}.example`,
}));

/** Someone with these keys connected. A key that ends in -later fails when it is used, not when it is tested. */
export async function personWith(
  journey: Journey,
  name: string,
  keys: { google?: string; hunter?: string; searchbug?: string },
): Promise<Session> {
  const session = await journey.person(name);
  if (keys.google) await journey.site.connect(session, 'google_places', keys.google);
  if (keys.hunter) await journey.site.connect(session, 'hunter_io', keys.hunter);
  if (keys.searchbug) await journey.site.connect(session, 'searchbug', keys.searchbug);
  return session;
}

/** Starts a search, which goes on. */
export async function search(page: Page, form: Parameters<typeof fillSearch>[1]): Promise<void> {
  await page.goto('/search');
  const dialog = await fillSearch(page, form);
  await dialog.getByRole('button', { name: 'Start Search' }).click();
  await gone(dialog);
}

/** Repeats what failed on a list, from its card. */
export async function retry(page: Page, list: string): Promise<void> {
  await card(page, list)
    .getByRole('button', { name: /^Retry/ })
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retry' }).click();
}

/** A search fails by a key's fault, says why, and Retry works with another key. */
export async function searchFailsUntilRetried(journey: Journey, key: string, reason: RegExp): Promise<void> {
  const session = await personWith(journey, key, { google: key });
  const visitor = await journey.visit({ session });
  const { page } = visitor;
  visitor.expectFailure(REFUSAL);
  await search(page, TOWN);
  await read(toast(page, 'Search failed'), reason);
  await read(card(page, LIST), 'Enrichment Failed');
  await read(card(page, LIST), reason);
  await checkAccessibility(page);
  await page.goto('/settings');
  await gone(await typeKey(page, 'Google Places', 'sandbox'));
  await page.goto('/');
  await retry(page, LIST);
  await read(card(page, LIST), 'Basic');
  await read(card(page, LIST), /(1\d|20)\s*leads/);
  const calls = await readCalls(journey.db, session.userId);
  const charged = calls.filter(({ state }) => state === 'answered').map(({ subject }) => subject);
  expect(new Set(charged).size).toBe(charged.length);
}
