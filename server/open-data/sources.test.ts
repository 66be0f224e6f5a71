import { expect, test } from 'vitest';
import { isApart, isRestricted } from './sources.ts';

/** As the British and the French spell it. */
const BRITISH = 'License'.replace('se', 'ce');

test.each([
  'ODbL-1.0',
  'odbl',
  'odc-odbl',
  'ODC-ODbL-1.0',
  'ODbLv1.0',
  'odbl_1_0',
  `${BRITISH} ODbL`,
  'CDLA-Permissive-2.0 AND ODbL-1.0',
  'https://opendatacommons.org/licenses/odbl/1-0/',
  'opendatacommons.org/licenses/odbl',
  'Open Database License 1.0',
  'Open Data Commons Open Database License v1.0',
  `the Open Database ${BRITISH} (v1.0)`,
  'open-database-license',
  'Open Data Base License',
  '© OpenStreetMap contributors',
  'https://www.openstreetmap.org/copyright',
])('places under "%s" are kept apart', (license) => {
  expect(isApart({ source: 'city-map', license })).toBe(true);
});

test.each([
  'CC0-1.0',
  'CC-BY-4.0',
  'CDLA-Permissive-2.0',
  'Apache-2.0',
  'odc-by',
  'ODC-BY-1.0',
  'PDDL-1.0',
  `${BRITISH} Etalab 2.0`,
  `Open Government ${BRITISH} v3.0`,
  'Open Data License',
  'Woodblock Prints License',
])('places under "%s" are not', (license) => {
  expect(isApart({ source: 'city-map', license })).toBe(false);
});

test.each([
  'CC-BY-NC-4.0',
  'cc by-nd 4.0',
  'CC BY NC SA',
  'Non-commercial use',
  'No commercial use',
  'All rights reserved',
  'All-rights-reserved',
  'Copyright, all rights are reserved',
  'not for reuse',
  'No redistribution',
  'May not be redistributed',
  'Redistribution prohibited',
  'Do not resell',
  'Internal use only',
  'Personal use only',
  'Research use only',
])('values under "%s" may not be passed on', (license) => expect(isRestricted(license)).toBe(true));

test.each([
  'CDLA-Permissive-2.0',
  'Apache-2.0',
  'CC0: no rights reserved',
  'CC-BY-4.0',
  'CC-BY-SA-4.0',
  'ODbL-1.0',
  'OGL-3.0',
  'Our own data, no restrictions on reuse',
  'Candid handbook',
  'Public domain, City of Raleigh, NC',
  'ND Open Data License',
  'Free for commercial and non-commercial use',
  'No export restrictions',
  'Public domain, not all rights reserved',
])('values under "%s" may', (license) => expect(isRestricted(license)).toBe(false));
