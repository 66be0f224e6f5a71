import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { RULES } from '#calling/rules/rule.ts';
import { readLeadCounts } from '#server/leads/read-lead-counts.ts';
import { buildListOf } from '#test/lists.ts';
import { startProduct } from '#test/product.ts';
import { readQuestions } from './read-leads.ts';

test('what is known of a lead arrives as it is stored, whatever is in its address', async () => {
  const { db, user } = await startProduct({ worker: false });
  const checked = new Date('2026-03-02T10:11:12.345Z');
  const addresses = [
    '1 Main\tStreet\t,\nSpringfield \\t, IL 62701\t',
    '\t\t',
    '',
    null,
    '🏠 1 Main Street, Miami, FL 33101, USA',
  ];
  const leads = [
    ...addresses.map((address, at) => ({
      phone: `+1 217-555-010${at}`,
      address,
      latitude: 39.78123456789,
      longitude: -89.65,
      phone_type: 'mobile',
      compliance_status: 'safe',
      compliance_checked_at: checked,
    })),
    { phone: null, phone_type: 'toll\tfree', compliance_status: 'dnc' },
    {
      phone: '+1 217-555-0110',
      phone_type: 'landline',
      email: 'a@held.example',
      extra: JSON.stringify({ 'Do Not Call': 'yes' }),
    },
  ];
  const listId = await buildListOf(db, (await user()).id, leads, { sandbox: false });
  await sql`insert into app.suppressions (kind, key, source, added_at) values
    ('domain', 'domain:held.example', 'hand', '2026-02-03T04:05:06Z'), ('email', 'email:a@held.example', 'hand', '2026-02-04T00:00:00Z')`.execute(
    db,
  );
  const counting = { at: checked.getTime(), rules: RULES };
  const read = () => readQuestions(db, sql`lead.list_id = ${listId}`, counting);
  const questions = await read();
  const scrub = { status: 'safe', expired: false, checkedAt: checked.getTime(), sandbox: false };
  expect(questions.map(({ position }) => position)).toEqual(leads.map((_, at) => at));
  expect(questions.slice(0, addresses.length)).toMatchObject(
    addresses.map((address, at) => ({
      checkedAt: checked.getTime(),
      question: {
        phone: `+1217555010${at}`,
        address: address || undefined,
        line: 'mobile',
        scrub,
        coordinates: { latitude: 39.78123456789, longitude: -89.65 },
        mustNotBeCalled: false,
        calls: [],
      },
    })),
  );
  expect(questions.slice(addresses.length).map(({ question }) => question)).toMatchObject([
    {
      phone: undefined,
      address: undefined,
      coordinates: undefined,
      line: 'unknown',
      scrub: { status: 'dnc', expired: true },
    },
    { line: 'landline', suppressedSince: new Date('2026-02-03T04:05:06Z'), mustNotBeCalled: true },
  ]);
  const counts = await readLeadCounts(db, listId, {});
  expect(counts.suppressed).toBe(1);
  // With very many entries the same is looked up in another way.
  await sql`update pg_catalog.pg_class set reltuples = 1000000 where oid = 'app.suppressions'::regclass`.execute(db);
  expect(await read()).toEqual(questions);
  expect(await readLeadCounts(db, listId, {})).toEqual(counts);
});
