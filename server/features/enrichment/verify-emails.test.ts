import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import type { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import { getProvenanceEndpoint } from '#contract/work/provenance.ts';
import { buildListOf, readCalls, readLeads, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let number = 0;
beforeAll(async () => {
  product = await startProduct();
});

async function userWithKey(fault = ''): Promise<{ user: TestUser; key: string }> {
  const user = await product.user();
  number += 1;
  const key = `sandbox-verify${number}${fault}`;
  await user.connect('hunter_io', key);
  return { user, key };
}
const mails = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `Dana${index}@quay.example` }));
const VERIFY = ['verifier'] as const;
const verify = (who: TestUser, list_id: string, steps: readonly EnrichmentStep[] = VERIFY) =>
  who.call(enrichEmailsEndpoint, { list_id, steps: [...steps] });
const estimate = (who: TestUser, list_id: string, steps: readonly EnrichmentStep[] = VERIFY) =>
  who.call(estimateEnrichmentEndpoint, { list_id, steps: [...steps] });
const meter = (key: string) => product.sandbox.meter.rows().find((one) => one.provider === 'hunter' && one.key === key);
const DAY_MS = 86_400_000;

test('each email is asked once, what is said stands beside it, and the charge is the quote', async () => {
  const { user, key } = await userWithKey();
  const leads = [...mails(12), { email: 'dana3@QUAY.example' }, { website: 'https://quay.example' }, { email: null }];
  const listId = await buildListOf(product.db, user.id, leads);
  expect(await estimate(user, listId)).toMatchObject({
    leads: 15,
    toVerify: 12,
    verified: 0,
    toLookUp: 0,
    toVisit: 0,
    boundMicros: 300_000,
    callMicros: 25_000,
  });
  const data = await verify(user, listId);
  expect(data).toMatchObject({ total_domains_processed: 0, emails_added: 0, emails_verified: 12, cost: 0.3 });
  expect(meter(key)).toMatchObject({ calls: 12, micros: 300_000 });
  const stored = await readLeads(product.db, listId);
  const checked = stored.slice(0, 13);
  for (const { email_status: status, email_verified: verified, email_checked_at, email_check_call_id } of checked) {
    expect(verified).toBe(status === 'valid' ? true : status === 'invalid' ? false : null);
    expect(email_checked_at).toBeTruthy();
    expect(email_check_call_id).toBeTruthy();
  }
  expect(new Set(checked.map(({ email_status }) => email_status)).size).toBeGreaterThan(1);
  expect(stored[12]?.email_check_call_id).toBe(stored[3]?.email_check_call_id);
  expect(stored[13]?.email_status).toBeNull();
  expect(data.emails_invalid).toBe(
    new Set(checked.filter((one) => one.email_status === 'invalid').map((one) => one.email?.toLowerCase())).size,
  );
  // Nothing was looked up, so the list is no more complete than it was.
  expect(await readList(product.db, listId)).toMatchObject({ status: 'completed', tier2_complete: false });
  const { provenance } = await user.call(getProvenanceEndpoint, undefined, { id: stored[0]?.id ?? '' });
  expect(provenance).toMatchObject([
    { part: 'check', provider: 'hunter_io', subject: 'dana0@quay.example', costMicros: 25_000 },
  ]);
});

test('an email is not paid for twice in 30 days, on any list, and is checked again after that', async () => {
  const { user, key } = await userWithKey();
  const one = await buildListOf(product.db, user.id, mails(6));
  await verify(user, one);
  expect(await estimate(user, one)).toMatchObject({ toVerify: 0, verified: 0, boundMicros: 0 });
  expect((await verify(user, one)).cost).toBe(0);
  const two = await buildListOf(product.db, user.id, mails(8));
  expect(await estimate(user, two)).toMatchObject({ toVerify: 2, verified: 6, boundMicros: 50_000 });
  expect((await verify(user, two)).cost).toBe(0.05);
  expect(meter(key)).toMatchObject({ calls: 8 });
  expect((await readLeads(product.db, two)).every(({ email_status }) => email_status !== null)).toBe(true);

  const old = new Date(Date.now() - 31 * DAY_MS);
  await product.db.updateTable('leads').set({ email_checked_at: old }).where('list_id', '=', two).execute();
  await product.db
    .updateTable('app.answers')
    .set({ expires_at: new Date(0) })
    .where('operation', '=', 'email_verify')
    .execute();
  expect(await estimate(user, two)).toMatchObject({ toVerify: 8, verified: 0 });
});

test('what is found on the way is verified too, and never costs more than was quoted', async () => {
  const { user, key } = await userWithKey();
  const sites = Array.from({ length: 10 }, (_, index) => ({ website: `https://www.verified${index}.example/` }));
  const listId = await buildListOf(product.db, user.id, [...sites, ...mails(2)]);
  const quote = await estimate(user, listId, ['hunter', 'verifier']);
  expect(quote).toMatchObject({ toLookUp: 10, toVerify: 12, boundMicros: 10 * 50_000 + 12 * 25_000 });
  const data = await verify(user, listId, ['hunter', 'verifier']);
  expect(data.emails_added).toBeGreaterThan(3);
  expect(data.cost * 1_000_000).toBeLessThanOrEqual(quote.boundMicros);
  expect(meter(key)?.micros).toBe(Math.round(data.cost * 1_000_000));
  const stored = await readLeads(product.db, listId);
  const withEmail = stored.filter(({ email }) => email);
  // Some were verified by Hunter's search as well, but too long ago.
  expect(withEmail.every(({ email_checked_at: at }) => at !== null && Date.now() - Number(at) < DAY_MS)).toBe(true);
  const [run] = await readRuns(product.db, user.id);
  expect(run?.totals).toMatchObject({ emailsToVerify: withEmail.length, emailsVerified: withEmail.length });
  // The search is remembered, and what it said of the emails does not replace what the verifier said.
  const before = stored.map(({ email_check_call_id }) => email_check_call_id);
  await verify(user, listId, ['hunter']);
  expect((await readLeads(product.db, listId)).map(({ email_check_call_id }) => email_check_call_id)).toEqual(before);
});

test('without the verifier nothing is verified, whatever else is left out', async () => {
  const { user, key } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, mails(3));
  await user.call(enrichEmailsEndpoint, { list_id: listId });
  expect(meter(key)).toBeUndefined();
});

test('an email that Hunter has no result for, or may not speak of, keeps what it had and stops no other', async () => {
  const { user } = await userWithKey();
  const leads = ['unsettled', 'private', 'dana'].map((local) => ({ email: `${local}@mole.example` }));
  const listId = await buildListOf(product.db, user.id, [...leads, { email: 'no address' }]);
  const data = await verify(user, listId);
  // What is pending was asked for, and counts as charged; what was refused does not.
  expect(data).toMatchObject({ emails_verified: 2, cost: 0.05 });
  const stored = await readLeads(product.db, listId);
  expect(stored.map(({ email_status }) => email_status)).toEqual([null, 'unknown', expect.any(String), null]);
  expect((await readRuns(product.db, user.id))[0]?.totals).toMatchObject({ emailsVerified: 4, emailsPending: 2 });
  // Hunter asks to wait for an hour.
  expect(await estimate(user, listId)).toMatchObject({ toVerify: 0, verified: 0 });
});

test('an email that takes the place of another is not taken for checked', async () => {
  const { user } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, mails(2));
  await verify(user, listId);
  const [first, second] = await readLeads(product.db, listId);
  await product.db
    .updateTable('leads')
    .set({ email: 'else@quay.example' })
    .where('id', '=', first?.id ?? '')
    .execute();
  await product.db
    .updateTable('leads')
    .set({ email: 'DANA1@quay.example' })
    .where('id', '=', second?.id ?? '')
    .execute();
  const [replaced, respelled] = await readLeads(product.db, listId);
  expect(replaced).toMatchObject({ email_status: null, email_checked_at: null, email_check_call_id: null });
  expect(respelled).toMatchObject({
    email_status: second?.email_status,
    email_check_call_id: second?.email_check_call_id,
  });
});

test('an email that leaves, or comes from elsewhere, takes nothing of the one before', async () => {
  const { user } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, [{ email: 'dana7@quay.example' }]);
  await verify(user, listId);
  const change = (email: string | null) =>
    product.db.updateTable('leads').set({ email }).where('list_id', '=', listId).execute();
  await product.db.updateTable('leads').set({ email_verified: true }).where('list_id', '=', listId).execute();
  await change(null);
  await change('other@quay.example');
  expect((await readLeads(product.db, listId))[0]).toMatchObject({
    email_verified: null,
    email_status: null,
    email_checked_at: null,
    email_check_call_id: null,
  });
});

test('an earlier answer does not replace a later one', async () => {
  const { user } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, [
    { email: 'dana8@quay.example' },
    { email: ' Dana8@quay.example' },
  ]);
  await verify(user, listId);
  const [first, second] = await readLeads(product.db, listId);
  expect(first?.email_check_call_id).toBe(second?.email_check_call_id);
  const later = new Date(Date.now() + 60_000);
  await sql`
    update public.leads set email_status = 'invalid', email_checked_at = ${later} where id = ${first?.id}
  `.execute(product.db);
  await sql`update public.leads set email_status = null, email_checked_at = null where id = ${second?.id}`.execute(
    product.db,
  );
  expect((await verify(user, listId)).cost).toBe(0);
  const stored = await readLeads(product.db, listId);
  expect(stored.map(({ email_status }) => email_status)).toEqual(['invalid', second?.email_status]);
});

test('a lost answer is asked for again, and paid once', async () => {
  const { user } = await userWithKey('-down');
  const listId = await buildListOf(product.db, user.id, mails(4));
  await expect(verify(user, listId)).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
  await user.connect('hunter_io', 'sandbox-verify-later');
  expect(await verify(user, listId)).toMatchObject({ emails_verified: 4 });
  expect(meter('sandbox-verify-later')).toMatchObject({ micros: 100_000 });
  const calls = await readCalls(product.db, user.id);
  expect(calls.filter(({ state }) => state !== 'answered' && state !== 'failed')).toEqual([]);
});

test('without a key, and for a list of someone else, it is refused', async () => {
  const { user } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, mails(1));
  const stranger = await product.user();
  await expect(verify(stranger, listId)).rejects.toMatchObject({ status: 404 });
  await expect(estimate(stranger, listId)).rejects.toMatchObject({ status: 404 });
  const own = await buildListOf(product.db, stranger.id, mails(1));
  await expect(verify(stranger, own)).rejects.toMatchObject({ code: 'MISSING_API_KEY' });
});
