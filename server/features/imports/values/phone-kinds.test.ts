import { expect, test } from 'vitest';
import { type ReadRow, readRow } from './read-row.ts';

type Row = Readonly<Record<string, string>>;

/** Reads a row by its headers, numbers as phones. */
function readAs(row: Row): ReadRow | undefined {
  const fieldOf = (header: string, cell: string) =>
    header === 'Company' ? 'business_name' : /^\d|^$/.test(cell) ? 'phone' : 'extra';
  return readRow(
    Object.values(row),
    Object.entries(row).map(([header, cell]) => ({ header, field: fieldOf(header, cell) })),
  );
}

test.each([
  [{ 'Phone 1 - Type': 'Work Fax', 'Phone 1 - Value': '312-555-0109' }],
  [{ 'Phone 1 Type': 'Fax', 'Phone 1': '312-555-0109' }],
  [{ 'Phone Type 1': 'Fax', 'Phone 1': '312-555-0109' }],
  [{ Phone: '312-555-0109', 'Phone Type': 'Telefax' }],
  [{ phone_number: '312-555-0109', phone_type: 'fax' }],
  [{ phoneNumber: '312-555-0109', phoneType: 'FAX' }],
  [{ Phone: '312-555-0109', Type: 'Fax' }],
])('a column beside it says that a number is a fax: %o', (row: Row) => {
  const read = readAs({ Company: 'Acme', ...row });
  expect(read?.values.phone).toBeUndefined();
  expect(read?.problems).toMatchObject([{ value: '312-555-0109', why: 'This is a fax number.' }]);
  expect(read?.originals.phone).toBe('312-555-0109');
});

test('what kind another number has says nothing, and the number of a home counts where there is no other', () => {
  const row = { Company: 'Acme', 'Phone 1 Type': 'Main', 'Phone 1': '312-555-0101', 'Phone 2 Type': 'Fax' };
  expect(readAs({ ...row, 'Phone 2': '312-555-0109' })?.values.phone).toBe('+1 312-555-0101');
  const untold = { Company: 'Acme', Phone: '312-555-0109', Type: 'Fax', 'Phone 2': '312-555-0101', 'Type 2': 'Work' };
  expect(readAs(untold)?.values.phone).toBe('+1 312-555-0101');
  const home = { Company: 'Acme', 'Home Phone': '217-555-0199' };
  expect(readAs({ ...home, 'Mobile Phone': '' })?.values.phone).toBe('+1 217-555-0199');
  expect(readAs({ ...home, 'Mobile Phone': '312-555-0101' })).toMatchObject({
    values: { phone: '+1 312-555-0101' },
    extra: { 'Home Phone': '217-555-0199' },
  });
});
