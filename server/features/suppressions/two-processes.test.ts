import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addressOf } from '#contract/address.ts';
import {
  checkCallabilityEndpoint,
  leadCallabilityEndpoint,
  leadVerdictsEndpoint,
  listCallabilityEndpoint,
} from '#contract/calling/callability.ts';
import { beginCallEndpoint, callSheetEndpoint } from '#contract/calling/calls.ts';
import { addSuppressionEndpoint, importSuppressionsEndpoint } from '#contract/calling/suppressions.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import { setCallClock, tuesdayAt } from '#test/call-clock.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Process, type Product, startProduct, type TestUser } from '#test/product.ts';

const NOON = tuesdayAt(18);
const DAY_MS = 86_400_000;
const SPRINGFIELD = '12 Main Street, Springfield, IL 62701, USA';

let product: Product;
let elsewhere: Process;
let teller: TestUser;
let caller: TestUser;
/** The caller, as the other process serves them. */
let there: TestUser;
beforeAll(async () => {
  product = await startProduct();
  elsewhere = await product.process({ worker: false });
  [teller, caller] = await Promise.all([product.user(), product.user()]);
  there = elsewhere.as(caller);
  await setCallClock(product.db, NOON);
});

test('what one process was told holds in the other with the next request, in all that speaks of calls', async () => {
  const checked = {
    address: SPRINGFIELD,
    compliance_status: 'safe',
    compliance_checked_at: new Date(NOON.getTime() - DAY_MS),
    phone_type: 'landline',
  };
  const listId = await buildListOf(
    product.db,
    caller.id,
    [
      { business_name: 'By number', phone: '+1 217-555-0110', ...checked },
      { business_name: 'By address', phone: '+1 217-555-0111', email: 'O.live+x@gmail.com', ...checked },
      { business_name: 'By domain', phone: '+1 217-555-0112', website: 'https://shop.quiet.example/a', ...checked },
      { business_name: 'By name', phone: '+1 217-555-0113', place_id: 'ChIJinvented_two', ...checked },
      { business_name: 'Olive Roofing, Inc.', phone: '+1 217-555-0114', ...checked },
    ],
    { sandbox: false },
  );
  const leads = await readLeads(product.db, listId);
  const at = NOON.toISOString();
  const ids = leads.map(({ id }) => id).join();
  const verdicts = async () =>
    (await there.call(leadVerdictsEndpoint, undefined, { listId, ids, at })).leads.map(({ verdict }) => verdict);
  const session = randomUUID();
  const sheet = () => there.call(callSheetEndpoint, { session }, { listId });
  // The other process has said otherwise a moment ago: nothing of that may be remembered.
  expect(await verdicts()).toEqual(leads.map(() => 'callable'));
  expect(await there.call(listCallabilityEndpoint, undefined, { listId, at })).toMatchObject({
    counts: { callable: 5, blocked: 0 },
  });
  expect(await sheet()).toMatchObject({ state: 'lead' });

  await teller.call(addSuppressionEndpoint, { kind: 'phone', value: 'tel:217.555.0110;ext=4' });
  await teller.call(addSuppressionEndpoint, { kind: 'email', value: 'Olive@googlemail.com' });
  await teller.call(importSuppressionsEndpoint, { csv: 'domain\nquiet.example\n' });
  await teller.call(addSuppressionEndpoint, { kind: 'business', value: 'places/ChIJinvented_two' });
  await teller.call(addSuppressionEndpoint, { kind: 'company', value: 'OLIVE ROOFING LLC' });

  expect(await verdicts()).toEqual(leads.map(() => 'blocked'));
  expect(await there.call(listCallabilityEndpoint, undefined, { listId, at })).toMatchObject({
    counts: { callable: 0, blocked: 5 },
  });
  expect(await sheet()).not.toMatchObject({ state: 'lead' });
  for (const { id } of leads) {
    expect(await there.call(leadCallabilityEndpoint, undefined, { id, at })).toMatchObject({ verdict: 'blocked' });
    const begin = there.call(beginCallEndpoint, { id: randomUUID(), leadId: id, session });
    expect(await begin).toMatchObject({ state: 'refused', callability: { verdict: 'blocked' } });
  }
  const asked = { phone: '(217) 555-0110', state: 'IL', postalCode: '62701', at };
  expect(await there.call(checkCallabilityEndpoint, asked)).toMatchObject({ verdict: 'blocked' });

  const response = await elsewhere.request(addressOf(exportLeadsEndpoint.path, { listId }), {
    method: 'POST',
    headers: { authorization: await there.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ filter: 'all', compliance: 'all_leads', call_times: true }),
  });
  expect((await response.text()).trimEnd().split('\r\n')).toHaveLength(1);
  await caller.connect('searchbug', '1234567:real-two1');
  await there.call(checkComplianceEndpoint, { list_id: listId });
  expect(product.real.meter.rows().filter(({ key }) => key.endsWith('two1'))).toEqual([]);
  const { rows } = await sql<{ hold: string }>`select hold from public.lead_calls where list_id = ${listId}`.execute(
    product.db,
  );
  expect(rows.map(({ hold }) => hold)).toEqual(leads.map(() => 'suppressed'));
});
