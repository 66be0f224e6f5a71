import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Site } from './site.ts';
import { openContext, openVisitor, storageOf, type Visitor, type VisitorOptions, visitorIn } from './visitor.ts';

type Profile = { context: BrowserContext; anchor: Page };

/**
 * Opens browsers for the visitors of a site, as openVisitor does, in the profiles of those who left: a new one takes long.
 * - Tabs, cookies and storage never outlast a visitor; routes and scripts do unless they were set on a page.
 * - Who wants a profile of a special kind gets one of their own.
 */
export function lendProfiles(browser: Browser, site: Pick<Site, 'url'>): (options: VisitorOptions) => Promise<Visitor> {
  const free: Profile[] = [];
  return async (options) => {
    const { session, theme, viewport, ...special } = options;
    if (Object.keys(special).length > 0) return openVisitor(browser, site, options);
    const profile = free.pop() ?? (await openProfile(browser, site));
    const { context, anchor } = profile;
    await anchor.evaluate(store, storageOf({ session, theme }));
    return visitorIn(context, site, {
      async newTab() {
        const page = await context.newPage();
        if (viewport) await page.setViewportSize(viewport);
        return page;
      },
      async leave() {
        for (const page of context.pages()) if (page !== anchor) await page.close();
        await context.setOffline(false);
        await context.clearCookies();
        await anchor.evaluate(store, []);
        free.push(profile);
      },
    });
  };
}

/** The anchor is a tab of the site without the app in it: it keeps the process alive and reaches the storage. */
async function openProfile(browser: Browser, site: Pick<Site, 'url'>): Promise<Profile> {
  const context = await openContext(browser, site);
  const anchor = await context.newPage();
  await anchor.goto('/healthz');
  return { context, anchor };
}

/** Runs in the page. */
function store(items: { name: string; value: string }[]): void {
  localStorage.clear();
  for (const { name, value } of items) localStorage.setItem(name, value);
}
