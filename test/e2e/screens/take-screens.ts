import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { connect } from '#db/connection/client.ts';
import { startPostgres } from '#db/embedded/start-postgres.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { launchChromium } from '#test/e2e/harness/launch-chromium.ts';
import { findViolations, inBothThemes, sideScroll } from '#test/e2e/harness/looks.ts';
import { type Site, startSite } from '#test/e2e/harness/site.ts';
import { openVisitor, PHONE } from '#test/e2e/harness/visitor.ts';
import { ADMIN, invitePeople, type People } from './people.ts';
import type { State } from './states/state.ts';
import { STATES } from './states.ts';
import { WIDTHS } from './widths.ts';

/**
 * Leaves a picture of each state as `<folder>/<width>/<state>-<theme>.png`, and tells which could not be reached, break a rule
 * of WCAG that axe knows, or scroll sideways. Any of these makes the process end with code 1.
 *
 * - `asked`: the beginnings of names of states, and widths in px; without any of a kind, all of it.
 */
export async function takeScreens(folder: string, asked: readonly string[] = []): Promise<void> {
  const widths = asked.filter((one) => /^\d+$/.test(one)).map(Number);
  const names = asked.filter((one) => !/^\d+$/.test(one));
  const states = STATES.filter(({ name }) => names.length === 0 || names.some((begin) => name.startsWith(begin)));
  const viewports = WIDTHS.filter(({ width }) => widths.length === 0 || widths.includes(width));
  if (states.length === 0 || viewports.length === 0)
    throw new Error(`There is no such state or width: ${asked.join(' ')}`);
  const dataDir = temporaryFolder();
  const postgres = await startPostgres({ dataDir, settings: { fsync: 'off' } });
  try {
    const databaseUrl = await postgres.database('screens');
    await migrate(databaseUrl, { hosted: false });
    const { db } = connect(databaseUrl);
    const site = await startSite({ databaseUrl, env: { ADMIN_EMAILS: ADMIN } });
    const browser = await launchChromium();
    try {
      const people = await invitePeople(site, db);
      for (const viewport of viewports)
        await takeAtWidth({ browser, site, people, viewport, states, folder: join(folder, String(viewport.width)) });
    } finally {
      await browser.close();
      await site.stop();
      await db.destroy();
    }
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function takeAtWidth(around: {
  browser: Browser;
  site: Site;
  people: People;
  viewport: { width: number; height: number };
  states: readonly State[];
  folder: string;
}): Promise<void> {
  const { browser, site, people, viewport, states, folder } = around;
  if (states.length === STATES.length) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const visitors = {
    stranger: await openVisitor(browser, site, { viewport }),
    newcomer: await openVisitor(browser, site, { viewport, session: people.newcomer }),
    regular: await openVisitor(browser, site, { viewport, session: people.regular }),
    spender: await openVisitor(browser, site, { viewport, session: people.spender }),
    caller: await openVisitor(browser, site, { viewport, session: people.caller }),
    admin: await openVisitor(browser, site, { viewport, session: people.admin }),
  };
  const complain = (state: string, about: unknown) => {
    console.error(`${viewport.width} ${state}: ${about instanceof Error ? about.message : about}`);
    process.exitCode = 1;
  };
  for (const { name, as, reach } of states) {
    const { page } = visitors[as];
    try {
      await reach(page, { site, people });
      await inBothThemes(page, async (theme) => {
        await page.screenshot({
          path: join(folder, `${name}-${theme}.png`),
          fullPage: await showsWhole(page, viewport),
        });
      });
      for (const violation of await findViolations(page)) complain(name, violation);
      if ((await sideScroll(page)) > 0) complain(name, 'scrolls sideways');
    } catch (error) {
      complain(name, error);
    }
  }
  console.log(`${folder}: ${states.length} states in two themes`);
}

/** A phone's page is shown to its end, unless something lies over it. */
async function showsWhole(page: Page, viewport: { width: number }): Promise<boolean> {
  if (viewport.width !== PHONE.width) return false;
  const over = page.locator('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]');
  if ((await over.count()) > 0) return false;
  // What stays at the top of the window would otherwise lie in the middle of the picture.
  await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })");
  return true;
}
