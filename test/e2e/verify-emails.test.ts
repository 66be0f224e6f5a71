import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { buildListOf, readCalls, readLeads } from '#test/lists.ts';
import { checkAccessibility, setUpJourney } from './harness/journey.ts';
import { read, see, toast } from './harness/steps.ts';

const journey = setUpJourney();

test('the emails of a list are verified on the way to its export, and the file says what came of it', async () => {
  const session = await journey.person('vera');
  await journey.site.connect(session, 'hunter_io', 'sandbox');
  const leads = Array.from({ length: 8 }, (_, index) => ({
    business_name: `Harbor Office ${index}`,
    email: `desk${index}@harbor.example`,
    sources: JSON.stringify({ business_name: 'file', email: 'file' }),
  }));
  const listId = await buildListOf(journey.db, session.userId, leads, { name: 'Harbor', has_emails: true });
  const { page } = await journey.visit({ session });
  await page.goto(`/lists/${listId}`);
  await page.getByRole('button', { name: /^Export/ }).click();
  const exporting = page.getByRole('dialog', { name: 'Export leads' });
  await read(
    exporting,
    '8 emails of this list were not verified in the last 30 days. Hunter can check them first, for at most $0.20.',
  );
  await checkAccessibility(page);
  await exporting.getByRole('button', { name: 'Verify emails…' }).click();

  const dialog = page.getByRole('dialog', { name: 'Enrich list' });
  await read(dialog, '8 leads · 8 emails to verify');
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Start Enrichment' }).dblclick();
  await read(toast(page, 'Email verification complete'), /^8 emails checked, \d not valid\. Cost: \$0\.20\.$/);
  expect(await readCalls(journey.db, session.userId)).toHaveLength(8);

  const stored = await readLeads(journey.db, listId);
  const odd = stored.find(({ email_status }) => email_status !== 'valid');
  expect(odd).toBeDefined();
  await page.getByRole('button', { name: odd?.business_name ?? '', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: odd?.business_name ?? '' });
  const checked = sheet.getByRole('region', { name: 'Email verification' });
  await see(checked);
  await read(checked, /\$0\.025/);
  await checkAccessibility(page);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /^Export/ }).click();
  await read(exporting, /8\s*leads to export/);
  expect(await exporting.getByRole('button', { name: 'Verify emails…' }).count()).toBe(0);
  await exporting.getByRole('checkbox', { name: /Export-safe/ }).check();
  const coming = page.waitForEvent('download');
  await exporting.getByRole('button', { name: 'Download CSV' }).click();
  const csv = await readFile(await (await coming).path(), 'utf8');
  const [head = '', ...rows] = csv.trim().split('\r\n');
  expect(head).toContain('Email Check,Email Checked On');
  expect(rows).toHaveLength(8);
  const today = new Date().toISOString().slice(0, 10);
  for (const row of rows) {
    expect(row).toMatch(new RegExp(`,(Verified|Not valid|Accepts all|Unclear),${today},`));
    expect(row).toContain('Email: Your file (Your own data); Email Check: Hunter (Hunter’s terms of service)');
  }
});
