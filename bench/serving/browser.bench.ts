import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { z } from 'zod/mini';
import type { Db } from '#db/connection/client.ts';
import { launchChromium } from '#test/e2e/harness/launch-chromium.ts';
import { openVisitor } from '#test/e2e/harness/visitor.ts';
import { buildList } from '#test/lists.ts';
import { startFairlead } from '../harness/fairlead.ts';
import { report } from '../harness/report.ts';
import { median, percentile } from '../harness/statistics.ts';

/** Leads of the list that is scrolled from end to end. */
const LEADS = 100_000;
/** Parts of the area on the map, in rows and columns. */
const LEAVES = { rows: 100, columns: 100 };
/** How far one turn of the wheel goes, in pixels, and how long it is until the next, in ms. */
const TURN = { pixels: 8_000, everyMs: 30 };
const PAN_STEPS = 180;

/** What a page has felt since this ran in it: frames and tasks in ms. */
const WATCH = `
  window.felt = { frames: [], tasks: [] };
  new PerformanceObserver((list) => window.felt.tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ entryTypes: ['longtask'] });
  const next = (before) => requestAnimationFrame((now) => { window.felt.frames.push(now - before); next(now); });
  requestAnimationFrame(next);
`;
const Felt = z.object({ frames: z.array(z.number()), tasks: z.array(z.number()) });
const felt = async (page: Page) => Felt.parse(await page.evaluate('window.felt'));

const fairlead = await startFairlead();
const browser = await launchChromium();
try {
  const { db, url, session } = fairlead;
  const listId = await fillList(db, session.userId);
  const { page } = await openVisitor(browser, { url }, { session });
  const { tasks } = await scroll(page, listId);
  const { frames } = await pan(page, listId);
  report([
    {
      name: `scrolling through ${LEADS} leads, the longest task`,
      value: Math.max(0, ...tasks),
      unit: 'ms',
      limit: ['≤', 50],
    },
    {
      name: `panning ${LEAVES.rows * LEAVES.columns} leaves, a frame in the median`,
      value: median(frames),
      unit: 'ms',
      limit: ['≤', 17],
    },
    { name: 'the same, p95', value: percentile(frames, 95), unit: 'ms', limit: ['≤', 17] },
  ]);
} finally {
  await browser.close();
  await fairlead.stop();
}

async function scroll(page: Page, listId: string) {
  await page.goto(`/lists/${listId}?rows=all`);
  await page.getByRole('row').nth(10).waitFor();
  await page.waitForTimeout(1_000);
  await page.evaluate(WATCH);
  const table = await page.getByRole('table').boundingBox();
  await page.mouse.move((table?.x ?? 0) + 200, (table?.y ?? 0) + 200);
  const last = page.getByText(`Harbour & Sons Plumbing No. ${LEADS - 1}`, { exact: true });
  for (let turns = 0; (await last.count()) === 0; turns += 1) {
    if (turns > LEADS) throw new Error('The end of the list was not reached.');
    await page.mouse.wheel(0, TURN.pixels);
    await page.waitForTimeout(TURN.everyMs);
  }
  return felt(page);
}

async function pan(page: Page, listId: string) {
  await page.goto(`/lists/${listId}?map=1`);
  const map = page.getByRole('application');
  await map.waitFor();
  await page.getByText('Complete', { exact: true }).waitFor();
  await page.waitForTimeout(1_000);
  const box = await map.boundingBox();
  const center = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  await page.mouse.move(center.x, center.y);
  await page.mouse.down();
  await page.evaluate(WATCH);
  for (let step = 0; step < PAN_STEPS; step += 1)
    await page.mouse.move(center.x + 100 * Math.sin(step / 20), center.y + 80 * Math.sin(step / 13));
  const seen = await felt(page);
  await page.mouse.up();
  return seen;
}

async function fillList(db: Db, userId: string): Promise<string> {
  const id = await buildList(db, userId, { sandbox: false, lead_count: LEADS, status: 'completed' });
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`
      insert into public.leads (list_id, position, business_name, address, phone, website, place_id)
      select ${id}::uuid, n, 'Harbour & Sons Plumbing No. ' || n, n || ' Oak St, Springfield, IL 62701, USA',
        '+1 217-555-' || lpad((n % 10000)::text, 4, '0'), 'https://www.harbour-' || n || '.example/', 'long-' || n
      from generate_series(0, ${LEADS - 1}) as n`.execute(tx);
  });
  const area = { kind: 'county', fips: '17031' };
  const [south, west, side] = [414_000_000, -883_000_000, 60_000];
  const frame = { south, west, north: south + LEAVES.rows * side, east: west + LEAVES.columns * side };
  const survey = await db
    .insertInto('app.surveys')
    .values({
      user_id: userId,
      sandbox: false,
      subject: 'bench',
      label: 'Cook County, IL',
      area: JSON.stringify(area),
      frames: JSON.stringify([frame]),
      queries: ['plumber'],
      state: 'counted',
      finished_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into app.survey_tiles (survey_id, query, south, west, north, east, state, ids, pages, pass)
    select ${survey.id}::uuid, 0, ${south} + y * ${side}, ${west} + x * ${side}, ${south} + (y + 1) * ${side},
      ${west} + (x + 1) * ${side}, 'complete', array['long-' || (y * ${LEAVES.columns} + x)], 1, 1
    from generate_series(0, ${LEAVES.rows - 1}) as y, generate_series(0, ${LEAVES.columns - 1}) as x`.execute(db);
  await db.insertInto('app.list_surveys').values({ list_id: id, survey_id: survey.id }).execute();
  await db
    .insertInto('app.runs')
    .values({
      user_id: userId,
      list_id: id,
      list_name: '',
      kind: 'search',
      state: 'completed',
      sandbox: false,
      input: JSON.stringify({ maxResults: 'all', queries: ['plumber'], area }),
      estimate_micros: 0,
      finished_at: new Date(),
    })
    .execute();
  await sql`vacuum analyze`.execute(db);
  return id;
}
