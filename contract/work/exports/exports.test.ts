import { expect, test } from 'vitest';
import { toCsv } from '#contract/csv.ts';
import { type Lead, LeadRow, readLead } from '#contract/work/leads.ts';
import { defaultExportCompliance, exportColumns, exportFileName } from './exports.ts';
import { visibleTiers } from './visible-tiers.ts';

const lead = (more: Partial<Lead>): Lead => ({
  ...readLead(LeadRow.parse({ id: '1', business_name: 'A Café' })),
  ...more,
});
const NOTHING = { emails: 0, contacts: 0, verifications: 0, emailChecks: 0, safe: 0, flagged: 0 };
const bare = { tier2Complete: false, tier3Complete: false, tier4Complete: false, complianceChecked: false };

function csvOf(list: Parameters<typeof exportColumns>[0], leads: readonly Lead[]): string {
  const columns = exportColumns(list, NOTHING);
  return toCsv([columns.map(({ header }) => header), ...leads.map((one) => columns.map(({ cell }) => cell(one)))]);
}

test('clean is the default once any number of the list was checked', () => {
  const none = { safe: 0, flagged: 0, expired: 0 };
  expect(defaultExportCompliance({ complianceChecked: true }, none)).toBe('clean');
  expect(defaultExportCompliance({ complianceChecked: false }, none)).toBe('all_leads');
  for (const verdict of ['safe', 'flagged', 'expired'])
    expect(defaultExportCompliance({ complianceChecked: false }, { ...none, [verdict]: 1 })).toBe('clean');
});

test('columns of a tier appear when it is complete or data for it exists', () => {
  expect(visibleTiers(bare, NOTHING)).toEqual({
    emails: false,
    contacts: false,
    verification: false,
    compliance: false,
  });
  expect(visibleTiers({ ...bare, tier2Complete: true }, NOTHING)).toMatchObject({ emails: true, contacts: false });
  expect(visibleTiers(bare, { ...NOTHING, contacts: 1 })).toMatchObject({ contacts: true });
  expect(visibleTiers(bare, { ...NOTHING, verifications: 1 })).toMatchObject({ verification: true });
  expect(visibleTiers(bare, { ...NOTHING, flagged: 1 })).toMatchObject({ compliance: true });
});

test('a list without enrichment has the four columns that are always there', () => {
  const leads = [lead({ phone: '+44 1624 664411', address: '20 Duke Street, Douglas', website: '' })];
  expect(csvOf({ ...bare, sandbox: false }, leads)).toBe(
    '\ufeffBusiness Name,Phone,Address,Website\r\nA Café,+44 1624 664411,"20 Duke Street, Douglas",\r\n',
  );
});

test('a complete list has every column, and invented data says so', () => {
  const full = lead({
    businessName: '=HYPERLINK("x")',
    phone: '(512) 555-0142',
    email: 'a@b.example',
    emailConfidence: 94,
    ownerName: 'Olive Invented',
    ownerTitle: 'Owner',
    emailVerified: true,
    phoneType: 'mobile',
    complianceStatus: 'litigator',
  });
  const list = {
    tier2Complete: true,
    tier3Complete: true,
    tier4Complete: true,
    complianceChecked: true,
    sandbox: true,
  };
  expect(csvOf(list, [full]).split('\r\n')).toEqual([
    '\ufeffBusiness Name,Phone,Address,Website,Email,Email Confidence,Owner Name,Title,Email Verified,Phone Type,Compliance Status,Sandbox Data',
    '"\'=HYPERLINK(""x"")",(512) 555-0142,,,a@b.example,94,Olive Invented,Owner,Yes,mobile,tcpa_litigator,Yes',
    '',
  ]);
});

test.each([
  ['Dentists in Austin, TX', 'Dentists in Austin, TX - 2026-01-05.csv'],
  ['a/b\\c:d*e?f"g<h>i|j', 'a-b-c-d-e-f-g-h-i-j - 2026-01-05.csv'],
  ['  ', 'list - 2026-01-05.csv'],
])('file name of %j', (name, file) => {
  expect(exportFileName(name, new Date(2026, 0, 5))).toBe(file);
});

test('exportFileName cuts a long name between characters, never inside one', () => {
  const file = exportFileName(`a${'🦷'.repeat(150)}`, new Date(2026, 0, 5));
  expect(file).toBe(`a${'🦷'.repeat(99)} - 2026-01-05.csv`);
});

test('what the verifier said stands in columns of its own, in words', () => {
  const columns = exportColumns({ ...bare, sandbox: false }, { ...NOTHING, emailChecks: 1 });
  const checked = lead({ emailStatus: 'accept_all', emailCheckedAt: '2026-11-26T08:00:00.000Z' });
  const told = (one: Lead) => columns.slice(4).map(({ header, cell }) => [header, cell(one)]);
  expect(told(checked)).toEqual([
    ['Email Check', 'Accepts all'],
    ['Email Checked On', '2026-11-26'],
  ]);
  expect(told(lead({}))).toEqual([
    ['Email Check', ''],
    ['Email Checked On', ''],
  ]);
});
