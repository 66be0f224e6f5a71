import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { checkCallabilityEndpoint, leadCallabilityEndpoint } from '#contract/calling/callability.ts';
import { undoImportEndpoint } from '#contract/imports/imports.ts';
import { tellsNoCalls } from '#contract/imports/no-calls.ts';
import { copyLeadsEndpoint } from '#contract/work/move-leads.ts';
import { setCallClock, tuesdayAt } from '#test/call-clock.ts';
import { importFile } from '#test/imports.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  await setCallClock(product.db, tuesdayAt(18));
});

const ADDRESS = '12 Main Street, Springfield, IL 62701, USA';

/** A lead that may be called at noon. */
const lead = (name: string, phone: string) => ({
  business_name: name,
  phone,
  address: ADDRESS,
  phone_type: 'landline',
  compliance_status: 'safe',
  compliance_checked_at: new Date(),
});

/** What is said of each lead of a list once its number is checked. */
async function verdictsOf(user: TestUser, listId: string): Promise<Record<string, string>> {
  await sql`
    update public.leads set compliance_status = 'safe', compliance_checked_at = now(), phone_type = 'landline' where list_id = ${listId}
  `.execute(product.db);
  const leads = await readLeads(product.db, listId);
  const said = await Promise.all(
    leads.map(({ id }) => user.call(leadCallabilityEndpoint, undefined, { id, at: tuesdayAt(18).toISOString() })),
  );
  return Object.fromEntries(leads.map(({ business_name }, at) => [business_name, said[at]?.verdict ?? '']));
}

test('a row whose file says so is never callable, and no is no', async () => {
  const user = await product.user();
  const file = [
    'Company,Phone,Address,Do Not Call,Email Opt Out,OK to call',
    `Never,217-555-0150,"${ADDRESS}",Yes,no,yes`,
    `Open,217-555-0151,"${ADDRESS}",No,yes,yes`,
    `Silent,217-555-0152,"${ADDRESS}",,yes,`,
    `Refused,217-555-0153,"${ADDRESS}",,no,No`,
  ].join('\n');
  const { list } = await importFile(product, user, file);
  expect(await verdictsOf(user, list)).toEqual({
    Never: 'blocked',
    Open: 'callable',
    Silent: 'callable',
    Refused: 'blocked',
  });
  const { rows } = await sql<{ business_name: string; hold: string | null }>`
    select business_name, hold from public.lead_calls join public.leads using (id) where lead_calls.list_id = ${list}
  `.execute(product.db);
  expect(Object.fromEntries(rows.map(({ business_name, hold }) => [business_name, hold]))).toEqual({
    Never: 'told_by_file',
    Open: null,
    Silent: null,
    Refused: 'told_by_file',
  });
  const never = { phone: '217 555 0150', address: ADDRESS, at: tuesdayAt(18).toISOString() };
  const { reasons } = await user.call(checkCallabilityEndpoint, never);
  expect(reasons).toContainEqual(expect.objectContaining({ code: 'told_by_file' }));
  const other = await product.user();
  const { reasons: others } = await other.call(checkCallabilityEndpoint, never);
  expect(others).not.toContainEqual(expect.objectContaining({ code: 'told_by_file' }));
});

test.each([
  ['skip', 'nothing', {}],
  ['skip', 'the contrary', { 'Do Not Call': 'no' }],
  ['update', 'nothing', {}],
  ['update', 'as much as there is room for', { 'Do Not Call': 'no', Notes: 'n'.repeat(9_950) }],
  ['add', 'nothing', {}],
] as const)('%s: leads that said %s learn it, and forget it with the file', async (duplicates, _said, extra) => {
  const user = await product.user();
  const [known, copy] = await Promise.all(
    ['1', '2'].map(() =>
      buildListOf(product.db, user.id, [{ ...lead('Known', '+1 217-555-0160'), extra: JSON.stringify(extra) }], {
        sandbox: false,
      }),
    ),
  );
  const before = await readLeads(product.db, known ?? '');
  const file = 'Company,Phone,Do Not Call,Notes\nKnown,217-555-0160,TRUE,call after 9\n';
  const { id } = await importFile(product, user, file, { duplicates });
  for (const list of [known ?? '', copy ?? '']) expect(await verdictsOf(user, list)).toEqual({ Known: 'blocked' });
  await user.call(undoImportEndpoint, undefined, { id });
  for (const list of [known ?? '', copy ?? '']) expect(await verdictsOf(user, list)).toEqual({ Known: 'callable' });
  expect((await readLeads(product.db, known ?? ''))[0]?.extra).toEqual(before[0]?.extra);
});

test.each(['skip', 'update'] as const)(
  '%s: what two files say is said until both are undone, also of leads of the first',
  async (duplicates) => {
    const user = await product.user();
    const bought = [lead('Known', '+1 217-555-0164')];
    const known = await buildListOf(product.db, user.id, bought, { sandbox: false });
    const before = await readLeads(product.db, known);
    const first = await importFile(
      product,
      user,
      'Company,Phone,Do Not Call\nKnown,217-555-0164,yes\nNew,217-555-0165,yes\nNew,217-555-0165,yes\n',
      { duplicates },
    );
    const file = 'Company,Phone,Do Not Call\nKnown,217-555-0164,yes\nNew,217-555-0165,yes\n';
    const [second, third] = [
      await importFile(product, user, file, { duplicates: 'skip' }),
      await importFile(product, user, file, { duplicates: 'skip' }),
    ];
    expect(second).toMatchObject({ added: 0, updated: 0, skipped: 2 });
    const later = await buildListOf(product.db, user.id, [lead('Later', '+1 217-555-0165')], { sandbox: false });
    const undo = (id: string) => user.call(undoImportEndpoint, undefined, { id });
    const verdicts = async () => [await verdictsOf(user, known), await verdictsOf(user, later)];
    expect(await undo(first.id)).toEqual({ removed: 0, restored: 1, changedSince: 1 });
    expect(await verdicts()).toEqual([{ Known: 'blocked' }, { Later: 'blocked' }]);
    expect(await undo(second.id)).toMatchObject({ removed: 0, changedSince: 0 });
    expect(await verdicts()).toEqual([{ Known: 'blocked' }, { Later: 'blocked' }]);
    expect(await undo(third.id)).toMatchObject({ removed: 1, changedSince: 0 });
    expect(await verdicts()).toEqual([{ Known: 'callable' }, { Later: 'callable' }]);
    expect((await readLeads(product.db, known)).map((one) => [one.extra, one.sources])).toEqual(
      before.map((one) => [one.extra, one.sources]),
    );
  },
);

test('a merge keeps what either lead says against calls, also where the source is deleted', async () => {
  const user = await product.user();
  const list = async (number: string, extra: Record<string, string>) =>
    buildListOf(product.db, user.id, [{ ...lead('Merged', number), extra: JSON.stringify(extra) }], { sandbox: false });
  const warned = await list('(217) 555-0161', { 'Do Not Call': 'yes', Notes: 'late' });
  const open = await list('+1 217-555-0161', { 'Do Not Call': 'no', Notes: 'early' });
  await user.call(copyLeadsEndpoint, { to: { list_id: open }, archive: true }, { listId: warned });
  await product.db.deleteFrom('lists').where('id', '=', warned).execute();
  expect(await verdictsOf(user, open)).toEqual({ Merged: 'blocked' });
  expect((await readLeads(product.db, open))[0]?.extra).toEqual({ 'Do Not Call': 'yes', Notes: 'early' });

  const [calm, other] = [
    await list('217-555-0162', { 'Do Not Call': 'no' }),
    await list('217-555-0163', { 'Do Not Call': 'yes' }),
  ];
  await user.call(copyLeadsEndpoint, { to: { list_id: calm }, archive: true }, { listId: other });
  await product.db.deleteFrom('lists').where('id', '=', other).execute();
  const verdicts = await Promise.all((await readLeads(product.db, calm)).map(({ phone, extra }) => [phone, extra]));
  expect(verdicts).toContainEqual(['217-555-0162', { 'Do Not Call': 'no' }]);
});

const CELLS: [header: string, said: string, isTold: boolean][] = [
  ...['Yes', 'y', 'TRUE', '1', 'x', '✓', 'DNC', '2025-03-01', 'Federal DNC', 'asked us to stop'].map(
    (said): [string, string, boolean] => ['Do Not Call', said, true],
  ),
  ...['', 'No', 'N', 'false', '0', '0.0', '-', 'n/a', 'None', 'Unknown', 'Not on DNC', 'Clean', '☐'].map(
    (said): [string, string, boolean] => ['Do Not Call', said, false],
  ),
  ...[
    ...['DNC', 'dnc_status', 'DoNotCall', 'DNCStatus', 'Phone 1 DNC', 'Don’t call', 'Do not contact'],
    ...[
      'Opted Out',
      'Do Not Call or Email',
      'Suppressed',
      'Is Litigator',
      'Blacklisted',
      'Do-Not-Call (2)',
      'DO NOT CALL',
    ],
  ].map((header): [string, string, boolean] => [header, 'yes', true]),
  ...[
    ...['Email Opt Out', 'Fax Opt Out', 'Do not contact by email', 'SMS opt-out', 'DNC scrubbed', 'DNC source'],
    ...['Call notes', 'Options', 'Contacted', 'Opted in', 'Last call', 'Unsubscribed from all email'],
  ].map((header): [string, string, boolean] => [header, 'yes', false]),
  ['Status', 'Do not call', true],
  // What other programs call it, and one of several tags.
  ['Do not allow Phone Calls', 'Do Not Allow', true],
  ['Do not allow Phone Calls', 'Allow', false],
  ['Do not allow Bulk Emails', 'Do Not Allow', false],
  ['DND', 'true', true],
  ['DND', 'false', false],
  ['DND SMS', 'true', false],
  ['Never call', 'x', true],
  ['No. of calls', '3', false],
  ['Tags', 'dentist, DNC', true],
  ['Labels', 'Chicago;Do-Not-Call;2025', true],
  ['Tags', 'dentist, not on DNC', false],
  ['DNC checked', 'dentist, DNC', false],
  ['Lead Status', 'DO_NOT_CONTACT', true],
  ['List', 'on the national DNC list', true],
  ['Notes', 'do not call before 9', false],
  ['Role', 'Litigator', false],
  // Of who may be called, a clear no alone.
  ...[
    'No',
    'n',
    'FALSE',
    '0',
    'never',
    'Not allowed',
    'No, asked us to stop',
    'do not call',
    'DNC',
    '✗',
    'Opted out',
  ].map((said): [string, string, boolean] => ['OK to call', said, true]),
  ...['', 'Yes', 'TRUE', '1', 'x', 'n/a', 'unknown', 'not known', 'no restrictions', 'mornings', 'Not on DNC', '☐'].map(
    (said): [string, string, boolean] => ['OK to call', said, false],
  ),
  ...[
    'OkToCall',
    'ok_to_call',
    'Callable',
    'Can call?',
    'Can be called',
    'May call',
    'Allow calls',
    'Calls allowed',
  ].map((header): [string, string, boolean] => [header, 'No', true]),
  ...['Consent to call', 'Permission to phone', 'OK to contact', 'Call permission', 'Allowed to be called'].map(
    (header): [string, string, boolean] => [header, 'No', true],
  ),
  ...['Consent', 'Opted in', 'OK to email', 'OK to contact by SMS', 'Callable source', 'Called', 'Phone OK'].map(
    (header): [string, string, boolean] => [header, 'No', false],
  ),
];

test.each(CELLS)('%s: %s', async (header, said, isTold) => {
  expect(tellsNoCalls(header, said)).toBe(isTold);
  const { rows } = await sql<{ told: boolean }>`
    select app.tells_no_calls(${JSON.stringify({ Other: 'call me', [header]: said })}::jsonb) as told
  `.execute(product.db);
  expect(rows).toEqual([{ told: isTold }]);
});
