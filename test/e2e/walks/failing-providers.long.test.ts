import { describe, expect, test } from 'vitest';
import {
  LIST,
  personWith,
  REFUSAL,
  retry,
  search,
  searchFailsUntilRetried,
  TEN,
  TOWN,
} from '#test/e2e/harness/faulty.ts';
import { checkAccessibility, setUpJourney } from '#test/e2e/harness/journey.ts';
import { card, chooseHunterAlone, gone, read, see, toast, typeKey } from '#test/e2e/harness/steps.ts';
import { buildListOf, readCalls, readLeads, readList } from '#test/lists.ts';

const journey = setUpJourney();

test('a search fails, says why, and Retry works with another key', () =>
  searchFailsUntilRetried(journey, 'sandbox-out-of-credit-later', /has used up today's Google quota/));

test('a place that is not known says so, and nothing is spent on searching', async () => {
  const session = await personWith(journey, 'lost', { google: 'sandbox' });
  const visitor = await journey.visit({ session });
  const { page } = visitor;
  visitor.expectFailure(REFUSAL);
  await search(page, { ...TOWN, where: 'Xyzzyville, Nowhere' });
  await read(toast(page, 'Search failed'), /Xyzzyville, Nowhere/);
  await read(card(page, 'dentist in Xyzzyville, Nowhere'), /Xyzzyville, Nowhere.*not/s);
  expect((await readCalls(journey.db, session.userId)).filter((call) => call.operation === 'search_page')).toEqual([]);
});

test('nothing found is an answer, not a failure', async () => {
  const session = await personWith(journey, 'hermit', { google: 'sandbox' });
  const { page } = await journey.visit({ session });
  await search(page, { what: 'dentist', where: 'Alaska', radius: '5', max: '20' });
  const list = 'dentist in Alaska';
  await read(toast(page, 'No leads found'), 'Try adjusting your search parameters');
  await gone(card(page, list).getByText('Data Processing'));
  expect(await card(page, list).getByText('Enrichment Failed').count()).toBe(0);
  await card(page, list).getByRole('link', { name: 'View' }).click();
  await see(page.getByRole('heading', { name: 'No leads found' }));
  await expect.poll(() => page.getByRole('button', { name: 'Export', exact: true }).count()).toBe(1);
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Run New Search' }).click();
  await see(page.getByRole('dialog', { name: 'New Search' }));
});

describe('paid work', () => {
  test('that runs out of credit keeps what was there, and goes on with another key', async () => {
    const session = await personWith(journey, 'broke', { hunter: 'sandbox-out-of-credit-later' });
    await buildListOf(journey.db, session.userId, TEN, { name: LIST });
    const visitor = await journey.visit({ session });
    const { page } = visitor;
    visitor.expectFailure(REFUSAL);
    await page.goto('/');
    await card(page, LIST)
      .getByRole('button', { name: /Add Emails/ })
      .click();
    // Hunter alone, which runs out of credit: Retry asks it alone again.
    await chooseHunterAlone(page);
    await page.getByRole('button', { name: 'Start Enrichment' }).click();
    await read(toast(page, 'Enrichment failed'), /credits of your Hunter plan are used up/);
    await read(card(page, LIST), 'Enrichment Failed');
    await read(card(page, LIST), /10\s*leads/);
    await page.goto('/settings');
    await gone(await typeKey(page, 'Hunter.io', 'sandbox'));
    await page.goto('/');
    await retry(page, LIST);
    await see(toast(page, 'Enrichment complete'));
    await read(card(page, LIST), 'Emails');
  });

  test('with an answer that cannot be read clears no number', async () => {
    const session = await personWith(journey, 'garbled', { searchbug: '1234567:sandbox-malformed-later' });
    const id = await buildListOf(journey.db, session.userId, TEN, { name: LIST });
    const visitor = await journey.visit({ session });
    const { page } = visitor;
    visitor.expectFailure(REFUSAL);
    await page.goto(`/lists/${id}`);
    await page.getByRole('button', { name: 'Check Compliance' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Check Compliance' }).click();
    await see(toast(page, 'Nothing could be checked'));
    await expect.poll(async () => (await readList(journey.db, id)).status, { timeout: 15_000 }).not.toBe('processing');
    const leads = await readLeads(journey.db, id);
    expect(new Set(leads.map((lead) => lead.compliance_status))).toEqual(new Set(['not_checked']));
    expect((await readList(journey.db, id)).compliance_checked).toBe(false);
  });

  test('without its key leads to the key, and what is free can be done all the same', async () => {
    const session = await personWith(journey, 'keyless', {});
    const id = await buildListOf(journey.db, session.userId, TEN, { name: LIST });
    const { page } = await journey.visit({ session });
    await page.goto(`/lists/${id}`);
    await page.getByRole('button', { name: '+ Add Emails & Contacts' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enrich list' });
    await read(dialog, 'Hunter.io API key is missing.');
    const hunter = dialog.getByRole('switch', { name: 'Hunter' });
    await expect.poll(() => hunter.isChecked()).toBe(false);
    await expect.poll(() => hunter.isDisabled()).toBe(true);
    await read(dialog, 'You will be charged nothing');
    await expect.poll(() => dialog.getByRole('button', { name: 'Start Enrichment' }).isEnabled()).toBe(true);
    await checkAccessibility(page);
    await dialog.getByRole('button', { name: 'Connect Hunter.io' }).click();
    const connect = page.getByRole('dialog', { name: 'Connect Hunter.io' });
    await connect.getByLabel('API key').fill('sandbox');
    await connect.getByRole('button', { name: 'Test & Save' }).click();
    await gone(connect);
    await gone(dialog.getByText('Hunter.io API key is missing.'));
    await expect.poll(() => hunter.isChecked()).toBe(true);
    await expect.poll(() => dialog.getByRole('checkbox', { name: /Emails/ }).isChecked()).toBe(true);
  });

  test('whose key is removed behind an open dialog is kept, and Retry repeats just that', async () => {
    const session = await personWith(journey, 'removed', { hunter: 'sandbox', searchbug: 'sandbox' });
    const id = await buildListOf(journey.db, session.userId, TEN, { name: LIST });
    const visitor = await journey.visit({ session });
    const { page } = visitor;
    visitor.expectFailure(REFUSAL);
    await page.goto(`/lists/${id}`);
    await page
      .getByRole('row', { name: /Dentist 3/ })
      .getByRole('checkbox')
      .check();
    await page.getByRole('button', { name: 'Check Compliance' }).last().click();
    const ask = page.getByRole('alertdialog');
    await read(ask, 'You will be charged');
    await journey.db
      .deleteFrom('app.provider_keys')
      .where('user_id', '=', session.userId)
      .where('provider', '=', 'searchbug')
      .execute();
    await ask.getByRole('button', { name: 'Check Compliance' }).click();
    await see(toast(page, 'Compliance check failed').getByRole('button', { name: 'Connect key' }));
    await page.goto('/');
    await read(card(page, LIST), /SearchBug API key is missing/);
    await journey.site.connect(session, 'searchbug', 'sandbox');
    await page.reload();
    await card(page, LIST)
      .getByRole('button', { name: /^Retry/ })
      .click();
    const again = page.getByRole('alertdialog', { name: 'Retry the compliance check?' });
    await read(again, '1 lead · 1 US number to check');
    await again.getByRole('button', { name: 'Retry' }).click();
    await see(toast(page, 'Compliance check complete'));
    expect((await readCalls(journey.db, session.userId)).map(({ subject }) => subject)).toEqual(['2175550113']);
  });
});

test('whatever a name holds is text, everywhere', async () => {
  const NAME = '<script>alert(1)</script> 🦷 عيادة الأسنان =HYPERLINK("https://x.example","y")';
  const session = await personWith(journey, 'prankster', { google: 'sandbox' });
  const leads = [{ ...TEN[0], business_name: '=HYPERLINK("https://x.example")' }, ...TEN.slice(1)];
  const id = await buildListOf(journey.db, session.userId, leads, { name: 'Plain' });
  const { page } = await journey.visit({ session });
  const spoken: string[] = [];
  page.on('dialog', (dialog) => {
    spoken.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'More actions for Plain', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByLabel('List name').fill(NAME);
  await page.getByRole('button', { name: 'Save' }).click();
  await see(card(page, NAME));
  await checkAccessibility(page);
  await page.goto(`/lists/${id}`);
  await see(page.getByRole('heading', { name: NAME, level: 1 }));
  await see(page.getByRole('cell', { name: '=HYPERLINK("https://x.example")' }));
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect((await coming).suggestedFilename()).toMatch(
    /^-script-alert\(1\)-.*🦷 عيادة الأسنان =HYPERLINK\(.* - \d{4}-\d\d-\d\d\.csv$/u,
  );
  await page.goto('/?q=🦷');
  await see(card(page, NAME));
  expect(spoken).toEqual([]);
});

test('a page stays when what shows its news could not be loaded, which is tried again', async () => {
  const session = await personWith(journey, 'dropped', {});
  const visitor = await journey.visit({ session });
  visitor.expectFailure(/toaster-/);
  let asked = 0;
  await visitor.context.route(/\/toaster-[^/]*\.js/, (route) => {
    asked += 1;
    return asked === 1 ? route.abort('connectionreset') : route.continue();
  });
  await visitor.page.goto('/');
  const news = visitor.page.getByRole('region', { name: /^Notifications/ });
  await expect.poll(() => asked, { timeout: 20_000 }).toBe(2);
  await news.waitFor({ state: 'attached' });
  await see(visitor.page.getByRole('heading', { name: 'Dashboard' }));
});
