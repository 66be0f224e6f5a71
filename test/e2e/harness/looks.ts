import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

/** Toasts fade in for this long, in ms; half transparent, their text lacks contrast. */
const TOAST_FADE_MS = 600;
const LOOKS_AT_A_TOAST = 5;

/** Nothing moves anymore after this, besides what moves for ever; toasts included. */
export async function settle(page: Page): Promise<void> {
  if ((await page.locator('[data-sonner-toast]').count()) > 0) await page.waitForTimeout(TOAST_FADE_MS);
  await endAnimations(page);
}

/** Ends them at once. A color that is inherited begins to change again when its parent's change ends, so one look is not enough. */
async function endAnimations(page: Page): Promise<void> {
  await page.evaluate(
    `(async () => {
      await document.fonts.ready;
      const moving = () => document.getAnimations().filter((one) =>
        one.effect?.getComputedTiming().endTime < 5000 && one.playState !== 'finished');
      const frame = () => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)));
      for (const until = Date.now() + 5000; moving().length > 0 && Date.now() < until; await frame())
        for (const one of moving()) one.finish();
    })()`,
  );
}

export type Theme = 'light' | 'dark';

/** Shows the page in a theme, as if it had been chosen in another tab: so it works over open dialogs and menus too. */
export async function paint(page: Page, theme: Theme): Promise<void> {
  await page.evaluate(
    `localStorage.setItem('theme', '${theme}'); window.dispatchEvent(new StorageEvent('storage', { key: 'theme' }))`,
  );
  await page.locator(theme === 'dark' ? 'html.dark' : 'html:not(.dark)').waitFor({ state: 'attached' });
  // Colors have begun to change by the next frame, whenever a busy machine shows that.
  await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(() => shown())))');
  await endAnimations(page);
}

/** Does something in both themes, and leaves the page in the one it had. */
export async function inBothThemes(page: Page, work: (theme: Theme) => Promise<void>): Promise<void> {
  const dark = await page.evaluate<boolean>("document.documentElement.classList.contains('dark')");
  const first: Theme = dark ? 'dark' : 'light';
  const second: Theme = dark ? 'light' : 'dark';
  await settle(page);
  await work(first);
  await paint(page, second);
  await work(second);
  await paint(page, first);
}

/** Every violation of WCAG 2.0 to 2.2, A and AA, that axe finds in the page as it is, in both themes. */
export async function findViolations(page: Page): Promise<string[]> {
  const found: string[] = [];
  const toasts = page.locator('[data-sonner-toast]');
  // The themes differ in their colors only.
  let rules = (axe: AxeBuilder) => axe.withTags(WCAG);
  await inBothThemes(page, async (theme) => {
    let violations: string[] = [];
    for (let look = 1; look <= LOOKS_AT_A_TOAST; look += 1) {
      const withToast = (await toasts.count()) > 0;
      violations = await violationsOf(page, rules);
      if (violations.length === 0 || !withToast) break;
      // A toast that was just coming or going is half transparent. One that stays is looked at again.
      await page.waitForTimeout(TOAST_FADE_MS);
    }
    found.push(...violations.map((violation) => `In the ${theme} theme: ${violation}`));
    rules = (axe) => axe.withRules('color-contrast');
  });
  return found;
}

async function violationsOf(page: Page, rules: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  // A page that has axe already need not compile its half megabyte again.
  const hasAxe = await page.evaluate<boolean>("'axe' in window");
  const axe = new AxeBuilder({ page, ...(hasAxe ? { axeSource: ' ' } : {}) });
  // Legacy mode tests this page only, and opens no other one for it. Only violations are told in full.
  const { violations } = await rules(axe.setLegacyMode(true).options({ resultTypes: ['violations'] })).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${failureSummary?.replaceAll('\n', ' ')} ${html}`),
  );
}

/** By how many pixels the page can be scrolled sideways. */
export const sideScroll = (page: Page): Promise<number> =>
  page.evaluate<number>(
    'Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - document.documentElement.clientWidth',
  );
