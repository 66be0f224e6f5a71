import type { Page } from 'playwright-core';
import { read, see } from '#test/e2e/harness/steps.ts';
import type { People } from '#test/e2e/screens/people.ts';
import { button, open, openList, type State } from './state.ts';

async function openLead(page: Page, people: People, name: string): Promise<void> {
  await open(page, `/lists/${people.visited}`);
  await button(page, name).click();
  await see(page.getByRole('region', { name: 'Visit to the website' }));
}

const lead = (state: string, name: string): State => ({
  name: `lead-site-${state}`,
  as: 'caller',
  reach: (page, { people }) => openLead(page, people, name),
});

/** What is looked up on the websites of businesses. */
export const WEBSITES: readonly State[] = [
  {
    name: 'enrich-without-key',
    as: 'caller',
    async reach(page, { people }) {
      await open(page, `/lists/${people.visited}`);
      await button(page, '+ Add Emails & Contacts').click();
      await read(page.getByRole('dialog'), 'You will be charged nothing');
    },
  },
  {
    name: 'enrich-one-place',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'plain');
      await button(page, '+ Add Emails & Contacts').click();
      for (const place of ['Open data', 'Hunter']) await page.getByRole('switch', { name: place }).click();
      await read(page.getByRole('dialog'), 'You will be charged nothing');
    },
  },
  lead('found', 'Harbor Bakery'),
  lead('notice', 'Careful Notary'),
  lead('refused', 'Quiet Garage'),
  lead('deaf', 'Deaf Florist'),
];
