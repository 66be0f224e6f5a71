import { describe, expect, test } from 'vitest';
import { defaultExportCompliance, exportFileName, leadsToCsv, selectForExport, visibleTiers } from './exports.ts';
import { type Lead, LeadRow, readLead } from './leads.ts';

const lead = (more: Partial<Lead>): Lead => ({
  ...readLead(LeadRow.parse({ id: '1', business_name: 'A Café' })),
  ...more,
});
const bare = { tier2Complete: false, tier3Complete: false, tier4Complete: false, complianceChecked: false };

describe('selectForExport', () => {
  const leads = [
    lead({ id: 'plain' }),
    lead({ id: 'email', email: 'a@b.example', complianceStatus: 'safe' }),
    lead({ id: 'owner', ownerName: 'Olive Invented', complianceStatus: 'dnc' }),
    lead({
      id: 'full',
      email: 'c@d.example',
      ownerName: 'Max Madeup',
      emailVerified: true,
      complianceStatus: 'litigator',
    }),
    lead({ id: 'unverified', email: 'e@f.example', ownerName: 'Ida Imagined', emailVerified: false }),
  ];
  const ids = (...args: [Parameters<typeof selectForExport>[1], Parameters<typeof selectForExport>[2]]) =>
    selectForExport(leads, ...args).map((one) => one.id);

  test.each([
    ['all', 'all_leads', ['plain', 'email', 'owner', 'full', 'unverified']],
    ['has_emails', 'all_leads', ['email', 'full', 'unverified']],
    ['has_contacts', 'all_leads', ['owner', 'full', 'unverified']],
    ['fully_enriched', 'all_leads', ['full']],
    ['all', 'clean', ['email']],
    ['fully_enriched', 'clean', []],
  ] as const)('%s with %s', (filter, compliance, expected) => {
    expect(ids(filter, compliance)).toEqual(expected);
  });
});

test('clean is the default once the list was checked', () => {
  expect(defaultExportCompliance({ complianceChecked: true })).toBe('clean');
  expect(defaultExportCompliance({ complianceChecked: false })).toBe('all_leads');
});

test('columns of a tier appear when it is complete or data for it exists', () => {
  expect(visibleTiers(bare, [lead({})])).toEqual({
    emails: false,
    contacts: false,
    verification: false,
    compliance: false,
  });
  expect(visibleTiers({ ...bare, tier2Complete: true }, [])).toMatchObject({ emails: true, contacts: false });
  expect(visibleTiers(bare, [lead({ ownerTitle: 'Owner' })])).toMatchObject({ contacts: true });
  expect(visibleTiers(bare, [lead({ emailVerified: false })])).toMatchObject({ verification: true });
  expect(visibleTiers(bare, [lead({ complianceStatus: 'dnc' })])).toMatchObject({ compliance: true });
});

test('a list without enrichment has the four columns that are always there', () => {
  const leads = [lead({ phone: '+44 1624 664411', address: '20 Duke Street, Douglas', website: '' })];
  expect(leadsToCsv({ ...bare, sandbox: false }, leads, leads)).toBe(
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
  expect(leadsToCsv(list, [full], [full]).split('\r\n')).toEqual([
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
