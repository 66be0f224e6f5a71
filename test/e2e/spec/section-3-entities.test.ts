import { beforeAll, expect, test } from 'vitest';
import { setUpJourney } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { see } from '#test/e2e/harness/steps.ts';
import { buildListOf } from '#test/lists.ts';

const journey = setUpJourney();
let session: Session;

beforeAll(async () => {
  session = await journey.person('enid');
  await journey.site.connect(session, 'hunter_io', 'sandbox');
  await buildListOf(journey.db, session.userId, [{}], { name: 'one' });
});

async function get(path: string): Promise<unknown> {
  const { backendKey } = (await (await fetch(`${journey.site.url}/config.json`)).json()) as { backendKey: string };
  const headers = { apikey: backendKey, authorization: `Bearer ${session.accessToken}` };
  return (await fetch(`${journey.site.url}${path}`, { headers })).json();
}

test('stored lists and leads have the fields that are named', async () => {
  const [list] = (await get('/rest/v1/lists?select=*')) as object[];
  expect(Object.keys(list ?? {})).toEqual(
    expect.arrayContaining([
      ...['id', 'name', 'lead_count', 'user_id', 'search_params', 'status', 'created_at', 'updated_at', 'completeness'],
      ...['tier1_complete', 'tier2_complete', 'tier3_complete', 'tier4_complete'],
      ...['compliance_checked', 'lifecycle_status', 'archived_at'],
    ]),
  );
  const [lead] = (await get('/rest/v1/leads?select=*')) as object[];
  expect(Object.keys(lead ?? {})).toEqual(
    expect.arrayContaining([
      ...['id', 'list_id', 'business_name', 'address', 'phone', 'website', 'email', 'email_confidence', 'owner_name'],
      ...['owner_title', 'email_verified', 'phone_type', 'compliance_status'],
    ]),
  );
});

test('a key is told of by provider, isConnected, keyName, maskedKey and lastUsed, and never in full', async () => {
  const { data } = (await get('/api/keys')) as { data: { apiKeys: Record<string, unknown>[] } };
  const hunter = data.apiKeys.find(({ provider }) => provider === 'hunter_io');
  expect(Object.keys(hunter ?? {}).sort()).toEqual(['isConnected', 'keyName', 'lastUsed', 'maskedKey', 'provider']);
  expect(hunter?.isConnected).toBe(true);
  expect(JSON.stringify(data)).not.toContain('sandbox');
});

test('the catalogue: three providers with tier, price and help', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/settings');
  const cards = page
    .getByRole('main')
    .getByRole('region')
    .filter({ hasText: /Tier \d/, hasNot: page.getByRole('region') });
  await see(cards);
  await expect.poll(() => cards.count()).toBe(3);
  const told = {
    'Google Places': ['Tier 1', 'Required', 'Finds businesses with phone and address', 'about $0.017 per search'],
    'Hunter.io': ['Tier 2', 'Connected', 'Finds emails', 'about $0.05 per email', 'Last used'],
    SearchBug: ['Tier 3', 'Checks phone numbers against do-not-call and litigator lists', 'about $0.02 per check'],
  };
  for (const [name, words] of Object.entries(told)) {
    const text = await page.getByRole('region', { name }).innerText();
    for (const one of words) expect(text).toContain(one);
    expect(text.includes('Required')).toBe(name === 'Google Places');
    const help = page.getByRole('region', { name }).getByRole('link', { name: 'Get API Key' });
    await expect.poll(() => help.getAttribute('target')).toBe('_blank');
    await expect.poll(() => help.getAttribute('href')).toMatch(/^https:\/\//);
  }
});

test('the session is kept with its tokens, times, type and user', () => {
  const stored = JSON.parse(session.stored) as Record<string, unknown>;
  expect(Object.keys(stored)).toEqual(
    expect.arrayContaining(['access_token', 'refresh_token', 'expires_at', 'expires_in', 'token_type', 'user']),
  );
  expect(stored.token_type).toBe('bearer');
  expect(Object.keys(stored.user as object)).toEqual(expect.arrayContaining(['identities', 'user_metadata']));
});
