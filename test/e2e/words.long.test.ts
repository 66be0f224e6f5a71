import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { AUDIT_ACTIONS } from '#contract/admin/audit.ts';
import { ERROR_STATUS } from '#contract/errors.ts';
import { setUpJourney } from './harness/journey.ts';
import { settle } from './harness/looks.ts';
import { ADMIN, invitePeople, type People } from './screens/people.ts';
import type { State } from './screens/states/state.ts';
import { STATES } from './screens/states.ts';

const journey = setUpJourney({ env: { ADMIN_EMAILS: ADMIN } });
let people: People;

beforeAll(async () => {
  people = await invitePeople(journey.site, journey.db);
});

/** Spellings that are stored or sent, and that no one should have to read. */
const CODES = [
  ...Object.keys(ERROR_STATUS).filter((code) => code.includes('_')),
  ...Object.keys(AUDIT_ACTIONS),
  ...['google_places', 'hunter_io', 'tcpa_litigator', 'not_checked', 'dnc', 'has_emails', 'fully_enriched'],
  ...['domain_search', 'search_page', 'phone_scrub', 'text_search', 'KEAP_ERROR', 'NO_CONTACT', 'MISSING_TAG'],
  ...['provider_down', 'waiting_reason', 'aal1', 'aal2', 'totp', 'undefined', 'NaN', '[object Object]'],
];

/** What a page says, also to those who hear it or point at it. */
const SAID = `[
  document.body.innerText,
  document.title,
  ...[...document.querySelectorAll('[title], [aria-label], [placeholder], [alt]')].flatMap((one) =>
    ['title', 'aria-label', 'placeholder', 'alt'].map((name) => one.getAttribute(name) ?? '')),
].join('\\n')`;

async function codesIn(page: Page): Promise<string[]> {
  const said = await page.evaluate<string>(SAID);
  return CODES.filter((code) => {
    const plain = code.replaceAll(/[.[\]]/g, '\\$&');
    return new RegExp(`(?<![\\w.@/-])${plain}(?![\\w@-])`).test(said);
  });
}

test('no screen, in any of its states, shows a code in place of words', async () => {
  const found: string[] = [];
  const look = async (as: State['as']) => {
    const session = as === 'stranger' ? undefined : people[as];
    // Pages at work would keep moving while others are read.
    const visitor = await journey.visit({ session, reducedMotion: 'reduce' });
    // What these states provoke is looked at elsewhere.
    visitor.expectFailure(/./);
    for (const { name, reach } of STATES.filter((state) => state.as === as)) {
      await reach(visitor.page, { site: journey.site, people });
      for (const code of await codesIn(visitor.page)) found.push(`${name}: ${code}`);
    }
  };
  // Each person has a browser of their own, and most of the time it is waited for.
  await Promise.all([...new Set(STATES.map(({ as }) => as))].map(look));
  expect(found).toEqual([]);
}, 300_000);

test.each([1280, 390])('at %i px no line of the audit log is cut', async (width) => {
  const { page } = await journey.visit({ session: people.admin, viewport: { width, height: 800 } });
  await page.goto('/admin/audit');
  await page
    .getByText(/saved a Hunter\.io key that ends in/)
    .first()
    .waitFor();
  await settle(page);
  const cut = await page
    .locator('main p, main td')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent));
  expect(cut).toEqual([]);
});
