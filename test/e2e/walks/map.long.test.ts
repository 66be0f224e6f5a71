import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { z } from 'zod/mini';
import { Geometry } from '#contract/work/search/areas.ts';
import { checkAccessibility, setUpJourney } from '#test/e2e/harness/journey.ts';
import { card, choose, focused, gone, read, see, tabTo } from '#test/e2e/harness/steps.ts';
import { PHONE } from '#test/e2e/harness/visitor.ts';

const journey = setUpJourney();

/** Two clicks in less are a double-click, which ends a shape. */
const CLICKS_APART_MS = 350;

async function openAreaForm(page: Page, kind: string): Promise<{ dialog: Locator; map: Locator }> {
  await page.goto('/search');
  const dialog = page.getByRole('dialog', { name: 'New Search' });
  await dialog.getByLabel('Business type').fill('dentist');
  await choose(page, dialog.getByLabel('Max results'), 'All in the area');
  await choose(page, dialog.getByLabel('Area', { exact: true }), kind);
  return { dialog, map: dialog.getByRole('application') };
}

async function drawer(name: string) {
  const session = await journey.person(name);
  await journey.site.connect(session, 'google_places', `sandbox-city-150-${name}`);
  return journey.visit({ session });
}

const shapeIn = async (dialog: Locator) => Geometry.parse(JSON.parse(await dialog.getByLabel('Shape').inputValue()));

async function clickCorners(map: Locator, corners: readonly [number, number][]): Promise<void> {
  for (const [x, y] of corners) {
    await map.click({ position: { x, y } });
    await map.page().waitForTimeout(CLICKS_APART_MS);
  }
}

test('an area is drawn with a pointer, gets a hole and a part, and each step can be undone', async () => {
  const { page } = await drawer('painter');
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(journey.site.url)) elsewhere.push(request.url());
  });
  const { dialog, map } = await openAreaForm(page, 'A shape, drawn or pasted');
  await read(dialog, 'Click to set the first corner.');
  await checkAccessibility(page);
  await clickCorners(map, [
    [100, 120],
    [300, 120],
    [300, 320],
    [100, 320],
  ]);
  await read(dialog, 'Add more corners, or double-click to finish.');
  // Escape ends the drawing, and not the dialog.
  await map.focus();
  await page.keyboard.press('Escape');
  await read(dialog, 'Click to set the first corner.');
  await clickCorners(map, [
    [100, 120],
    [300, 120],
    [300, 320],
  ]);
  await map.dblclick({ position: { x: 100, y: 320 } });
  await read(dialog, '5 points');
  const square = await shapeIn(dialog);
  expect(square.type).toBe('Polygon');
  expect(square.coordinates).toHaveLength(1);

  await dialog.getByRole('button', { name: 'Draw another part or a hole' }).click();
  await clickCorners(map, [
    [160, 180],
    [240, 180],
    [240, 260],
  ]);
  await dialog.getByRole('button', { name: 'Finish drawing' }).click();
  await read(dialog, '9 points');
  const holed = await shapeIn(dialog);
  expect(holed.type).toBe('Polygon');
  expect(holed.coordinates).toHaveLength(2);

  await dialog.getByRole('button', { name: 'Draw another part or a hole' }).click();
  await clickCorners(map, [
    [330, 340],
    [370, 340],
    [370, 370],
  ]);
  await dialog.getByRole('button', { name: 'Finish drawing' }).click();
  await read(dialog, '13 points');
  expect((await shapeIn(dialog)).type).toBe('MultiPolygon');

  // A corner is dragged elsewhere, and a double-click takes it away.
  const box = await map.boundingBox();
  if (!box) throw new Error('The map has no place.');
  await page.mouse.move(box.x + 100, box.y + 120);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + 100, { steps: 5 });
  await page.mouse.up();
  await expect
    .poll(async () => JSON.stringify(await shapeIn(dialog)))
    .not.toContain(JSON.stringify(square.coordinates[0]?.[0]));
  await page.waitForTimeout(CLICKS_APART_MS);
  await page.mouse.dblclick(box.x + 60, box.y + 100);
  await read(dialog, '12 points');
  for (const points of ['13 points', '13 points', '9 points', '5 points']) {
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await read(dialog, points);
  }
  expect(await shapeIn(dialog)).toEqual(square);
  await dialog.getByRole('button', { name: 'Clear the drawing' }).click();
  await read(dialog, 'Click to set the first corner.');
  await expect.poll(() => dialog.getByLabel('Shape').inputValue()).toBe('');
  await checkAccessibility(page);
  expect(elsewhere).toEqual([]);
});

test('an area is drawn, counted and looked at with keys alone', async () => {
  const { page } = await drawer('typist');
  const { dialog, map } = await openAreaForm(page, 'A shape, drawn or pasted');
  await read(dialog, 'Click to set the first corner.');
  await tabTo(map);
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await page.waitForTimeout(CLICKS_APART_MS);
    }
  };
  await press('Enter', 'ArrowRight', 'Enter', 'ArrowDown', 'Enter', 'ArrowLeft', 'Enter', 'Backspace', 'Enter');
  await tabTo(dialog.getByRole('button', { name: 'Finish drawing' }));
  await page.keyboard.press('Enter');
  await read(dialog, '5 points');
  const [ring = []] = (await shapeIn(dialog)).coordinates;
  expect(ring).toHaveLength(5);

  // What is pasted is drawn, and its parts are told once they are counted.
  const square = [
    [-98.6, 38.4],
    [-98.4, 38.4],
    [-98.4, 38.6],
    [-98.6, 38.6],
    [-98.6, 38.4],
  ];
  await dialog.getByLabel('Shape').fill(JSON.stringify({ type: 'Polygon', coordinates: [square] }));
  await dialog.getByRole('button', { name: 'Count this area (free)' }).click();
  await read(dialog, /^150 places · /);
  await read(dialog, 'Complete');
  await dialog.getByRole('button', { name: 'Show all' }).focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await focused(map);
  await press('ArrowLeft');
  await read(dialog, /^Complete · \d+ places?$/);
  await dialog.getByRole('button', { name: 'Start Search' }).click();
  const list = card(page, 'dentist in a drawn area');
  await read(list, '150 leads');
  await list.getByRole('link').first().click();

  await page.getByRole('button', { name: 'Map', exact: true }).click();
  const beside = page.getByRole('application', { name: 'Map of A drawn area' });
  await see(beside);
  await read(page, /not where they are: Google allows that on its own maps only/);
  expect(new URL(page.url()).searchParams.get('map')).toBe('1');
  await checkAccessibility(page);
  await page.getByRole('columnheader', { name: 'Business Name' }).getByRole('button').click();
  expect(new URL(page.url()).searchParams.get('map')).toBe('1');
  await page.getByRole('button', { name: 'Hide map' }).click();
  await gone(beside);
});

const Center = z.object({ latitude: z.number(), longitude: z.number() });

test('a point on the map is the center of a circle, by a click, by keys and typed', async () => {
  const { page } = await drawer('pointer');
  const { dialog, map } = await openAreaForm(page, 'Around a point on the map');
  await read(dialog, 'Click where the center is.');
  const centerIn = async () =>
    Center.parse({
      latitude: Number(await dialog.getByLabel('Latitude').inputValue()),
      longitude: Number(await dialog.getByLabel('Longitude').inputValue()),
    });
  await map.click({ position: { x: 200, y: 200 } });
  await expect.poll(async () => (await centerIn()).latitude).toBeGreaterThan(20);
  const clicked = await centerIn();
  await map.focus();
  await page.keyboard.press('Enter');
  await expect.poll(centerIn).not.toEqual(clicked);

  await dialog.getByLabel('Latitude').fill('95');
  await read(dialog, 'Enter -90 to 90');
  await dialog.getByLabel('Latitude').fill('38.5');
  await dialog.getByLabel('Longitude').fill('-98.5');
  const begin = dialog.getByRole('button', { name: 'Count this area (free)' });
  await begin.and(page.locator(':enabled')).waitFor();
  // A click right after a change counts the area as it is now.
  await choose(page, dialog.getByLabel('Search radius'), '10 miles');
  await begin.click();
  // A dozen calls at the pace of the key, on a machine that may be busy.
  await dialog.getByText(/^150 places · /).waitFor({ timeout: 60_000 });
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Start Search' }).click();
  await read(card(page, 'dentist in 38.5000, -98.5000'), '150 leads');
});

test('on a phone the map stands among the fields, and the page scrolls over it', async () => {
  const walker = await journey.person('walker');
  await journey.site.connect(walker, 'google_places', 'sandbox-city-150-walker');
  const { page, context } = await journey.visit({ session: walker, viewport: PHONE, hasTouch: true, isMobile: true });
  const { dialog, map } = await openAreaForm(page, 'A state');
  await choose(page, dialog.getByLabel('State'), 'Alaska');
  await see(dialog.getByRole('application', { name: 'Map of Alaska' }));
  const top = async () => (await map.boundingBox())?.y ?? 0;
  const before = await top();
  const { x = 0, y = 0 } = (await map.boundingBox()) ?? {};
  const session = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', { x: x + 100, y: y + 150 });
  for (let moved = 15; moved <= 150; moved += 15) await touch('touchMove', { x: x + 100, y: y + 150 - moved });
  await touch('touchEnd');
  await expect.poll(top).toBeLessThan(before - 20);
  await choose(page, dialog.getByLabel('Area', { exact: true }), 'A shape, drawn or pasted');
  for (const [x, y] of [
    [100, 100],
    [200, 100],
    [200, 180],
  ] as const) {
    await map.tap({ position: { x, y } });
    await page.waitForTimeout(CLICKS_APART_MS);
  }
  await dialog.getByRole('button', { name: 'Finish drawing' }).tap();
  await read(dialog, '4 points');
  await checkAccessibility(page);
});
