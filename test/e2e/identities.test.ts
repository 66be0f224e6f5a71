import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { checkAccessibility, setUpJourney } from './harness/journey.ts';
import { read, see } from './harness/steps.ts';

const journey = setUpJourney({ env: { GOOGLE_CLIENT_ID: 'sandbox' } });
const ADA = 'ada.marlowe@harbour.example';
beforeAll(async () => {
  await journey.person('owner');
  await journey.db
    .insertInto('app.invitations')
    .values({ email: ADA, expires_at: new Date(Date.now() + 3_600_000) })
    .execute();
});

const goToGoogle = (page: Page) => page.getByRole('button', { name: 'Continue with Google' }).click();

test('signing in with Google: given up, with a stranger’s and an unverified address, and as someone invited', async () => {
  const { page } = await journey.visit();
  await page.goto('/login');
  await goToGoogle(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await read(page, 'Sign-in was canceled. Try again, or use an emailed link.');
  await checkAccessibility(page);
  await goToGoogle(page);
  await page.getByRole('button', { name: /Ben Okafor/ }).click();
  await read(page, 'You cannot sign in');
  await goToGoogle(page);
  await page.getByRole('button', { name: /Cleo Brandt/ }).click();
  await read(page, 'That address is not verified');
  await goToGoogle(page);
  await page.getByRole('button', { name: /Ada Marlowe/ }).click();
  await see(page.getByRole('heading', { name: 'Dashboard', level: 1 }));
});

test('an identity of another address is linked on the account page, and unlinked', async () => {
  const visitor = await journey.visit({ session: await journey.person('linker') });
  const { page } = visitor;
  await page.goto('/account');
  await page.getByRole('button', { name: 'Link Google' }).click();
  await page.getByLabel('Another address').fill('private@elsewhere.example');
  await page.getByRole('button', { name: 'Continue' }).click();
  await read(page, 'Account linked');
  expect(new URL(page.url()).search).toBe('');
  await read(page, /^private@elsewhere\.example · Linked/);
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Unlink Google' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click();
  await read(page, 'Google is unlinked');
  await see(page.getByRole('button', { name: 'Link Google' }));
});
