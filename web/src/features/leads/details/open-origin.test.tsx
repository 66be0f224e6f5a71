import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Lead } from '#contract/work/leads.ts';
import { certainty } from '#web/features/leads/open-words.ts';
import { FileOriginPart, fieldText } from './file-origin.tsx';
import { FromOpenData, OtherSources } from './open-origin.tsx';

const ONE = {
  name: 'open:1',
  title: 'Overture Places',
  release: '2026-09-23.0',
  license: 'CDLA-Permissive-2.0',
  confidence: 0.873,
  stated: '2026-09-23.0',
  goneOn: null,
};
const CAUTION = 'This does not prove that the business is open. Check before you call.';

test('a value of open data names its source, release, license and confidence', () => {
  render(<FromOpenData release={ONE} />);
  expect(screen.getByText('Overture Places, release 2026-09-23.0 (CDLA-Permissive-2.0), free of charge')).toBeVisible();
  expect(screen.getByText(`Confidence 87%, as the source states it. ${CAUTION}`)).toBeVisible();
});

test.each([
  [{ confidence: null, stated: null }, `No confidence is stated. ${CAUTION}`],
  [{ stated: '2026-11-01' }, `Confidence 87% in release 2026-11-01, as the source states it. ${CAUTION}`],
  [
    { goneOn: '2026-11-20' },
    `Confidence 87%, as the source states it. A release loaded on Nov 20, 2026 no longer has it. ${CAUTION}`,
  ],
])('%j never sounds like a promise', (more, words) => {
  expect(certainty({ ...ONE, ...more })).toBe(words);
});

test('a value that another file filled in says which row of it', () => {
  const lead = { phone: '+1 217-555-0101', address: '', website: 'https://own.example' } as Lead;
  const sources = { business_name: 'file', phone: 'file', website: 'file' };
  const filled = [
    { name: 'first.csv', row: 9, fields: ['website'], extra: [], originals: {} },
    {
      name: 'second.csv',
      row: 1206,
      fields: ['website', 'email'],
      extra: [{ header: 'Id', value: '7' }],
      originals: { website: 'OWN.example' },
    },
  ];
  const file = { importId: 'a', name: 'own.csv', row: 3, extra: [], originals: {}, filled };
  render(<OtherSources lead={lead} data={{ provenance: [], file, site: null, sources, open: [] }} />);
  expect(screen.getByText('Website: your file · row 1,206 of “second.csv”')).toBeVisible();
  expect(screen.queryByText(/^Phone/)).not.toBeInTheDocument();
  expect(fieldText(file, 'phone')).toBe('your file · row 3');
  render(<FileOriginPart file={{ ...file, originals: { phone: '217.555.0101' } }} />);
  const definitions = screen.getAllByRole('definition').map(({ textContent }) => textContent);
  const terms = screen.getAllByRole('term').map(({ textContent }) => textContent);
  expect(terms).toEqual(['Phone, as written', 'Id, row 1,206 of “second.csv”', 'Website, as written in “second.csv”']);
  expect(definitions).toEqual(['217.555.0101', '7', 'OWN.example']);
});

test('values that come from elsewhere than the name say so', () => {
  const lead = { phone: '+1 217-555-0101', address: '1 Main St', website: 'https://open.example' } as Lead;
  const sources = { business_name: 'open:1', phone: 'file:google', address: 'file:open:1', website: 'website' };
  render(<OtherSources lead={lead} data={{ provenance: [], file: null, site: null, sources, open: [ONE] }} />);
  expect(screen.getByText(/^Phone: your file\. Google also gave you this value/)).toBeVisible();
  expect(screen.getByText('Address: your file (same as in Overture Places, release 2026-09-23.0)')).toBeVisible();
  expect(screen.getByText('Website: the business’s own website')).toBeVisible();
});
