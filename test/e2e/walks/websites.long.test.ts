import { expect, test } from 'vitest';
import { plantedSite, type SiteKind } from '#sandbox/websites/planted-site.ts';
import { checkAccessibility, setUpJourney } from '#test/e2e/harness/journey.ts';
import { read, see, toast } from '#test/e2e/harness/steps.ts';
import { buildListOf, readCalls, readLeads } from '#test/lists.ts';

const journey = setUpJourney();

/** A lead of the first website of the sandbox that is of a kind. */
function leadOf(kind: SiteKind, business_name: string) {
  for (let index = 0; ; index += 1) {
    const domain = `walk-${index}.example`;
    if (plantedSite(domain).kind === kind) return { business_name, website: `https://www.${domain}/`, domain };
  }
}
const FOUND = leadOf('mailto-contact', 'Harbor Bakery');
const REFUSED = leadOf('robots-refuse', 'Quiet Garage');
const NOTICE = leadOf('notice', 'Careful Notary');
const rowOf = ({ domain: _, ...row }: ReturnType<typeof leadOf>) => row;

test('a list is enriched from the websites without any key, and each lead says where its email stands', async () => {
  const session = await journey.person('keyless');
  const listId = await buildListOf(journey.db, session.userId, [FOUND, REFUSED, NOTICE].map(rowOf), { name: 'Harbor' });
  const { page } = await journey.visit({ session });
  await page.goto(`/lists/${listId}`);
  await page.getByRole('button', { name: '+ Add Emails & Contacts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enrich list' });
  await read(dialog, '3 leads · 3 websites to visit');
  await read(dialog, 'You will be charged nothing');
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Start Enrichment' }).click();
  await read(page, /Visiting websites: \d of 3/);
  await read(
    toast(page, 'Enrichment complete'),
    '1 email and 0 contacts added. Cost: $0.00. 1 website had an address.',
  );
  await read(page, 'not looked up: 1 refused by robots.txt');
  const { email } = plantedSite(FOUND.domain);
  await read(page, email);
  expect(await readCalls(journey.db, session.userId)).toEqual([]);

  const open = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).click();
    const sheet = page.getByRole('dialog', { name });
    const visit = sheet.getByRole('region', { name: 'Visit to the website' });
    await see(visit);
    await checkAccessibility(page);
    return { sheet, visit };
  };
  const found = await open('Harbor Bakery');
  const origin = found.sheet.getByRole('region', { name: 'Email' });
  const today = await page.evaluate<string>(
    `new Date().toLocaleDateString('en-US', { year: 'numeric', month: 'short', day: 'numeric' })`,
  );
  await read(origin, 'Its domain receives mail.');
  const contact = `https://www.${FOUND.domain}/contact`;
  await expect.poll(() => origin.innerText()).toMatch(/found on/i);
  await expect.poll(() => origin.innerText()).toContain(`, ${today}, free of charge`);
  const link = origin.getByRole('link');
  await expect.poll(() => link.getAttribute('href')).toBe(contact);
  await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
  await page.keyboard.press('Escape');

  const refused = await open('Quiet Garage');
  await read(refused.visit, /Its robots\.txt refuses our visits/);
  await page.keyboard.press('Escape');
  const careful = await open('Careful Notary');
  await read(careful.visit, 'This site says its addresses must not be collected. None was taken.');
  expect((await readLeads(journey.db, listId)).map((lead) => lead.email)).toEqual([email, null, null]);
});

test('an address that a website told is a link only where it is safe to open', async () => {
  const session = await journey.person('target');
  const page = 'javascript:window.planted=1//https://www.harbor.example/contact';
  const bad = { email: 'hello@harbor.example', mail: 'accepts', page };
  const visit = {
    status: 'found',
    email: bad,
    emails: [bad, { ...bad, email: 'data@harbor.example', page: 'data:text/html,<script>planted=1</script>' }],
    phones: [{ phone: '<img src=x onerror=window.planted=1>', page }],
    profiles: [{ profile: page, page }],
    notice: { words: '<svg onload=window.planted=1>', page: 'https://www.harbor.example@other.example/' },
    at: '2026-11-25T12:00:00.000Z',
  };
  const listId = await buildListOf(journey.db, session.userId, [
    {
      business_name: 'Harbor Bakery',
      email: bad.email,
      sources: JSON.stringify({ email: 'website' }),
      site_visit: JSON.stringify(visit),
    },
  ]);
  const visitor = await journey.visit({ session });
  await visitor.page.goto(`/lists/${listId}`);
  await visitor.page.getByRole('button', { name: 'Harbor Bakery' }).click();
  const sheet = visitor.page.getByRole('dialog', { name: 'Harbor Bakery' });
  await read(sheet.getByRole('region', { name: 'Email' }), /javascript:window\.planted/);
  await read(sheet.getByRole('region', { name: 'Visit to the website' }), /<img src=x/);
  expect(await sheet.getByRole('link').count()).toBe(0);
  expect(await visitor.page.evaluate(`'planted' in window`)).toBe(false);
});
