import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { TRAINING_PAGES, TRAINING_STORAGE_KEY } from '#contract/admin/training.ts';
import { setUpJourney } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { read, see } from '#test/e2e/harness/steps.ts';
import type { Visitor } from '#test/e2e/harness/visitor.ts';
import { buildListOf } from '#test/lists.ts';

const journey = setUpJourney({ env: { ADMIN_EMAILS: 'ada@people.example' } });
let admin: Session;
let listId: string;
let failedId: string;
let runId: string;
let browser: Visitor;

/** Markup that runs in every place that takes text for HTML; `name` says where it was planted. */
const planted = (name: string) =>
  `${name}"'><img src=x onerror=window.planted=1><svg onload=window.planted=1></svg><script>window.planted=1</script>`;
const SCRIPT_LINK = 'javascript:window.planted=1//';
const EMBED = `<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ" srcdoc="<script>parent.planted=1</script>" onload=window.planted=1></iframe>`;

beforeAll(async () => {
  const { db } = journey;
  admin = await journey.person('ada');
  await journey.site.connect(admin, 'google_places', 'sandbox');
  const lead = {
    business_name: planted('business'),
    address: planted('address'),
    phone: planted('phone'),
    website: SCRIPT_LINK,
    email: planted('email'),
    email_confidence: 91,
    owner_name: planted('owner'),
    owner_title: planted('title'),
    phone_type: planted('type'),
    compliance_reason: planted('reason'),
  };
  const asked = { businessType: planted('what'), location: planted('where'), radius: '25', maxResults: '60' };
  const list = {
    name: planted('list').slice(0, 250),
    search_params: JSON.stringify(asked),
    resolved_place: planted('place'),
    tier2_complete: true,
    tier3_complete: true,
    tier4_complete: true,
    has_emails: true,
    has_contacts: true,
  };
  const links = { website: 'https://shop.example"onmouseover=window.planted=1', phone: 'tel:1', email: SCRIPT_LINK };
  listId = await buildListOf(db, admin.userId, [lead, { ...lead, ...links }], list);
  await linkSurvey(listId);
  const archived = { lifecycle_status: 'archived', archived_at: new Date() };
  await buildListOf(db, admin.userId, [lead], { ...list, ...archived });
  failedId = await buildListOf(db, admin.userId, [lead], { ...list, status: 'failed' });
  const run = await db
    .insertInto('app.runs')
    .values({
      user_id: admin.userId,
      list_id: failedId,
      list_name: planted('run'),
      kind: 'enrichment',
      state: 'failed',
      input: '{}',
      sandbox: true,
      error_code: 'PROVIDER_FAILED',
      error_message: planted('failure'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  runId = run.id;
  const call = await db
    .insertInto('app.paid_calls')
    .values({
      user_id: admin.userId,
      run_id: runId,
      provider: 'hunter_io',
      operation: 'domain_search',
      sandbox: true,
      subject: planted('subject'),
      state: 'uncertain',
      error_message: planted('lost'),
      idempotency_key: 'planted',
      estimate_micros: 50_000,
      cost_micros: 50_000,
      attempts: 1,
      sent_at: new Date(),
      settled_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('leads')
    .set({ email_call_id: call.id, owner_call_id: call.id })
    .where('list_id', '=', listId)
    .execute();
  await db
    .insertInto('app.training_videos')
    .values(TRAINING_PAGES.map((page_key) => ({ page_key, title: planted('video').slice(0, 80), embed_code: EMBED })))
    .execute();
  await db
    .insertInto('app.invitations')
    .values({ email: planted('guest'), expires_at: new Date(Date.now() + 3_600_000) })
    .execute();
  const someone = await db
    .insertInto('auth.users')
    .values({ email: planted('someone') })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('app.profiles')
    .values({ user_id: someone.id, email: planted('someone') })
    .execute();
  await db
    .updateTable('auth.sessions')
    .set({ user_agent: planted('device') })
    .execute();
  await db
    .insertInto('app.required_tags')
    .values({ tag_id: '1', tag_name: planted('tag') })
    .execute();
  await db
    .insertInto('app.crm_connection')
    .values({ client_id: planted('client') })
    .execute();
  await db
    .insertInto('app.audit_log')
    .values({
      actor_email: planted('actor'),
      action: planted('action'),
      target: planted('target'),
      details: JSON.stringify({ [planted('detail')]: planted('value') }),
      request_id: planted('request'),
    })
    .execute();
  await plantBeyondLists();
  browser = await journey.visit({ session: admin, lasting: true });
  browser.expectFailure(/^404 GET/);
});

/** Texts of files, suppressions, calling rules and open data. */
async function plantBeyondLists(): Promise<void> {
  const { db } = journey;
  await db
    .insertInto('app.imports')
    .values({ user_id: admin.userId, name: planted('file'), state: 'completed', list_name: planted('list') })
    .execute();
  await db
    .insertInto('app.suppressions')
    .values({ kind: 'company', key: `company:${planted('gone')}`, note: planted('note'), source: 'hand' })
    .execute();
  await db
    .insertInto('app.calling_rules')
    .values({
      state: 'IL',
      days: [1],
      from_time: '09:00',
      to_time: '17:00',
      reason: planted('rule'),
      added_by_email: planted('author'),
    })
    .execute();
  await db
    .insertInto('app.open_releases')
    .values({
      id: 1,
      source: 'planted',
      release: planted('v').slice(0, 60),
      license: planted('license').slice(0, 100),
      sandbox: true,
    })
    .execute();
  await db
    .insertInto('app.open_imports')
    .values({
      source: 'planted',
      release: planted('release'),
      files: JSON.stringify([{ path: planted('path') }]),
      state: 'failed',
      message: planted('message'),
    })
    .execute();
}

/** Makes a list one that was filled from all of an area. */
async function linkSurvey(list: string): Promise<void> {
  const { db } = journey;
  const frame = { south: 0, west: 0, north: 10, east: 10 };
  const survey = await db
    .insertInto('app.surveys')
    .values({
      user_id: admin.userId,
      sandbox: true,
      subject: planted('subject'),
      label: planted('area'),
      area: JSON.stringify({ kind: 'state', code: 'IL' }),
      frames: JSON.stringify([frame]),
      queries: [planted('query')],
      state: 'counted',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('app.survey_tiles')
    .values({ survey_id: survey.id, query: 0, ...frame, state: 'failed', ids: [planted('place')] })
    .execute();
  await db.insertInto('app.list_surveys').values({ list_id: list, survey_id: survey.id }).execute();
}

/** Nothing has run, and nothing stands in the page that could. */
async function expectHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(`({
    ran: 'planted' in window,
    markup: [...document.querySelectorAll('[onerror],[onload],[onmouseover],[srcdoc],img[src="x"]')].map((one) => one.outerHTML),
    links: [...document.querySelectorAll('a[href],iframe[src],form[action]')]
      .map((one) => one.href ?? one.src ?? one.action)
      .filter((address) => !/^(https?|mailto|tel):/.test(address)),
  })`);
  expect(found).toEqual({ ran: false, markup: [], links: [] });
}

/** Each screen, and what of the planted text shows that it is there. */
const SCREENS: readonly {
  what: string;
  path: string;
  shows: string | RegExp;
  open?: (page: Page) => Promise<unknown>;
}[] = [
  { what: 'the dashboard', path: '/', shows: /list".*<img/ },
  { what: 'the palette', path: '/', shows: /list".*<img/, open: (page) => page.keyboard.press('ControlOrMeta+k') },
  { what: 'archived lists', path: '/?view=archived', shows: /list".*<img/ },
  { what: 'a search through the lists', path: `/?q=${encodeURIComponent(planted('list'))}`, shows: 'My Lists' },
  { what: 'the answer of a link', path: `/?error=${encodeURIComponent(planted('error'))}`, shows: 'My Lists' },
  { what: 'the search', path: '/search', shows: 'Business type' },
  { what: 'a list', path: '/lists/:listId', shows: /business".*<img/ },
  { what: 'the export', path: '/lists/:listId', shows: /business".*<img/, open: (page) => press(page, /^Export/) },
  {
    what: 'where the values of a lead come from',
    path: '/lists/:listId',
    shows: /business".*<img/,
    async open(page) {
      await press(page, /^business"/);
      await read(page.getByRole('dialog'), /list".*<img/);
    },
  },
  { what: 'the certificate of a list', path: '/lists/:listId/coverage', shows: /area".*<img/ },
  { what: 'a run', path: '/lists/:failedId?run=:runId', shows: /lost".*<img/ },
  {
    what: 'a lost answer',
    path: '/lists/:failedId?run=:runId',
    shows: /lost".*<img/,
    open: (page) => press(page, /^Settle subject/),
  },
  { what: 'a list that is not there', path: `/lists/${encodeURIComponent(planted('id'))}`, shows: 'List not found' },
  { what: 'the call sheet', path: '/lists/:listId/calls', shows: /list".*<img/ },
  { what: 'the imports', path: '/imports', shows: /file".*<img/ },
  { what: 'the suppression list', path: '/suppressions', shows: /note".*<img/ },
  { what: 'the evidence', path: '/evidence', shows: 'Evidence' },
  { what: 'the calling rules', path: '/admin/calling-rules', shows: /rule".*<img/ },
  { what: 'the open data', path: '/admin/sources', shows: /message".*<img/ },
  { what: 'the keys', path: '/settings', shows: /video".*<img/ },
  { what: 'the usage', path: '/usage', shows: /list".*<img/ },
  { what: 'the account', path: '/account', shows: /video".*<img/ },
  { what: 'the training editor', path: '/admin/training', shows: /video".*<img/ },
  { what: 'the dialog of a video', path: '/admin/training', shows: 'Page', open: (page) => press(page, /^Edit/) },
  { what: 'the users', path: '/admin/users', shows: /someone".*<img/ },
  { what: 'the CRM', path: '/admin/settings', shows: /tag".*<img/ },
  { what: 'the audit log', path: '/admin/audit', shows: /target".*<img/ },
  { what: 'a page that is not there', path: `/${encodeURIComponent(planted('path'))}`, shows: 'Page not found' },
];
/** Screens of fixed words. */
const FIXED = ['terms', 'privacy', 'data-sources', 'stop'];

const press = (page: Page, name: RegExp) => page.getByRole('button', { name }).first().click();

test('every screen is looked at', () => {
  const router = readFileSync('web/src/router.tsx', 'utf8');
  const paths = [...router.matchAll(/(?:path: |inShell\(|alone\()'([^'*]+)'/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(10);
  const seen = (path: string) => path === 'login' || SCREENS.some((screen) => screen.path === `/${path}`);
  expect(paths.filter((path) => !FIXED.includes(path) && !seen(path))).toEqual([]);
});

test.each(SCREENS)('nothing that was stored runs on $what', async ({ path, shows, open }) => {
  await browser.page.goto(path.replace(':listId', listId).replace(':failedId', failedId).replace(':runId', runId));
  await read(browser.page, shows);
  await open?.(browser.page);
  await expectHarmless(browser.page);
});

test('a video plays from its own site only, whatever the embed code says', async () => {
  const { page } = browser;
  await page.route('https://www.youtube-nocookie.com/**', (route) => route.fulfill({ body: 'the player' }));
  await page.goto('/settings');
  await page.getByRole('button', { name: /^video"/ }).click();
  await see(page.locator('iframe'));
  const frames = await page.locator('iframe').evaluateAll((all) => all.map((one) => one.getAttribute('src')));
  expect(frames.map((src) => new URL(src ?? '').origin)).toEqual(['https://www.youtube-nocookie.com']);
  await expectHarmless(page);
});

test('the browser’s own copy of the videos is not believed either', async () => {
  const { page } = await journey.visit({ session: admin });
  const copy = { settings: { title: planted('copy'), embedCode: `javascript:window.planted=1`, isActive: true } };
  await page.addInitScript(`localStorage.setItem('${TRAINING_STORAGE_KEY}', ${JSON.stringify(JSON.stringify(copy))})`);
  await page.goto('/settings');
  await read(page, 'Hunter');
  await expectHarmless(page);
});

test('the login says what an address brings as text', async () => {
  const visitor = await journey.visit();
  const { page } = visitor;
  const words = encodeURIComponent(planted('words'));
  for (const address of [
    `/login?email=${words}`,
    `/login#error=${words}&error_code=${words}&error_description=${words}`,
  ]) {
    await page.goto(address);
    await see(page.getByLabel('Email'));
    await expectHarmless(page);
  }
});
