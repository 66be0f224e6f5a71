import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFailed } from 'vitest';
import { connect, type Db } from '#db/connection/client.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { sharedChromium } from './launch-chromium.ts';
import { findViolations } from './looks.ts';
import { lendProfiles } from './profiles.ts';
import { type Session, type Site, startSite } from './site.ts';
import type { Visitor, VisitorOptions } from './visitor.ts';

const SCREENS_OF_FAILURES = 'screens/failures';
const VIOLATIONS = 'accessibility';

export type Journey = {
  readonly site: Site;
  /** The site's database, unless the site keeps its own. */
  readonly db: Db;
  /** A browser of its own, closed after the test; with `lasting`, after the file. */
  visit(options?: VisitorOptions & { lasting?: boolean }): Promise<Visitor>;
  /** A session of someone new, who is invited first unless they come as the first person. */
  person(name: string): Promise<Session>;
};

export type JourneyOptions = {
  env?: Record<string, string>;
  /** Lets the site run its own PostgreSQL, as `npm start` does. */
  ownPostgres?: boolean;
};

/**
 * One server process and database for the calling test file, and browsers of its own. After each test, whatever went wrong in a browser
 * unexpectedly fails it.
 */
export function setUpJourney({ env, ownPostgres = false }: JourneyOptions = {}): Journey {
  let site: Site | undefined;
  let browser: Browser | undefined;
  let openBrowser: ReturnType<typeof lendProfiles> | undefined;
  let db: Db | undefined;
  const open = new Set<{ visitor: Visitor; lasting: boolean }>();

  beforeAll(async () => {
    const databaseUrl = ownPostgres ? undefined : await freshDatabase();
    if (databaseUrl) db = connect(databaseUrl).db;
    [site, browser] = await Promise.all([startSite({ databaseUrl, env }), sharedChromium()]);
    openBrowser = lendProfiles(browser, site);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') for (const { visitor } of open) await photograph(visitor, task.name);
    const problems = [...open].flatMap(({ visitor }) => visitor.problems());
    for (const one of open) {
      if (one.lasting) continue;
      open.delete(one);
      await one.visitor.leave();
    }
    if (problems.length > 0) throw new Error(`Unexpected in the browser:\n${problems.join('\n')}`);
  });
  afterAll(async () => {
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
    await site?.stop();
    await db?.destroy();
  });

  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('Only to be used in tests and in hooks after setUpJourney.');
    return part;
  };
  return {
    get site() {
      return started(site);
    },
    get db() {
      return started(db);
    },
    async visit({ lasting = false, ...visitorOptions } = {}) {
      const visitor = await started(openBrowser)(visitorOptions);
      open.add({ visitor, lasting });
      return visitor;
    },
    async person(name) {
      const email = `${name}@people.example`;
      await started(db)
        .insertInto('app.invitations')
        .values({ email, expires_at: new Date(Date.now() + 3_600_000) })
        .execute();
      return started(site).signIn(email);
    },
  };
}

/** Leaves a picture of every tab of a failed test. */
async function photograph({ context }: Visitor, test: string): Promise<void> {
  mkdirSync(SCREENS_OF_FAILURES, { recursive: true });
  const name = test.replaceAll(/[^\w]+/g, '-').slice(0, 80);
  for (const [index, page] of context.pages().entries()) {
    const path = `${SCREENS_OF_FAILURES}/${name}-${index}.png`;
    await page.screenshot({ path, timeout: 2_000 }).catch(() => {});
  }
}

/** For a file whose tests tell one story: after a failure that breaks it, the rest is skipped. */
export function tellAsOneStory(): void {
  let isBroken = false;
  beforeEach((context) => {
    context.skip(isBroken, 'an earlier part of the story failed');
    onTestFailed(({ task }) => {
      const errors = task.result?.errors ?? [];
      if (errors.some(({ message }) => !message.startsWith(VIOLATIONS))) isBroken = true;
    });
  });
}

/** Fails the test if the page as it is cannot be used by everyone, in either theme, and lets it go on. */
export async function checkAccessibility(page: Page): Promise<void> {
  expect.soft(await findViolations(page), VIOLATIONS).toEqual([]);
}
