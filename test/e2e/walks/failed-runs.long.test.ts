import { beforeAll, test } from 'vitest';
import { type Answer, answerInstead } from '#test/e2e/harness/calls.ts';
import { openWithFailures } from '#test/e2e/harness/failing-server.ts';
import { personWith } from '#test/e2e/harness/faulty.ts';
import { checkAccessibility, setUpJourney } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { card, read, see, toast } from '#test/e2e/harness/steps.ts';
import { buildListOf } from '#test/lists.ts';

const journey = setUpJourney();
let session: Session;

beforeAll(async () => {
  session = await personWith(journey, 'erika', { google: 'sandbox', hunter: 'sandbox', searchbug: 'sandbox' });
});

const SILENT: Answer = { status: 503, body: { success: false } };
const KEYLESS: Answer = { status: 400, body: { success: false, error: 'MISSING_API_KEY' } };

test.each<[string, 'enrich/emails' | 'compliance', Answer, string, string]>([
  ['enrichment', 'enrich/emails', SILENT, 'Enrichment failed', 'Email enrichment failed with HTTP 503'],
  ['check', 'compliance', SILENT, 'Compliance check failed', 'Compliance failed with HTTP 503'],
  [
    'keyless enrichment',
    'enrich/emails',
    KEYLESS,
    'Enrichment failed',
    'Hunter.io API key is missing. Add it in Settings > API Providers.',
  ],
  [
    'keyless check',
    'compliance',
    KEYLESS,
    'Compliance check failed',
    'SearchBug API key is missing. Add it in Settings > API Providers.',
  ],
])(
  '%s that fails says why, and the list is failed, with Retry, after a reload too',
  async (name, path, answer, title, text) => {
    const lead = { phone: '+1 217-555-0171', website: `https://${name.replace(' ', '-')}.example` };
    const id = await buildListOf(journey.db, session.userId, [lead], { name });
    const page = await openWithFailures(journey, session, '/');
    await answerInstead(page, `POST /api/${path}`, answer);
    const check = path === 'compliance';
    await card(page, name)
      .getByRole('button', { name: check ? 'Check Compliance' : /Add Emails/ })
      .click();
    await page
      .locator('[role=dialog], [role=alertdialog]')
      .getByRole('button', { name: check ? 'Check Compliance' : /Start/ })
      .click();
    await see(toast(page, title).getByText(text, { exact: true }));
    for (const address of ['/', `/lists/${id}`]) {
      await page.goto(address);
      const place = address === '/' ? card(page, name) : page.getByRole('main');
      await read(place, 'Enrichment Failed');
      await read(place, text);
      await see(place.getByRole('button', { name: /^Retry/ }));
      await checkAccessibility(page);
    }
  },
);
