import { expect, test } from 'vitest';
import { zipCenters } from '#area/named/zip-codes.ts';
import { judgeCall } from './verdict.ts';
import { windowAt } from './window/window-at.ts';
import { STATE_ZONES } from './zones/state-zones.ts';
import { zonesOfZip } from './zones/zip-zones.ts';
import { placeOf } from './zones/zones-of.ts';

/**
 * Written by hand from the statutes, without a line of the code that it judges.
 * - state, a ZIP code there, its hours from UTC in winter and in summer, and the hours of each day from Sunday on ("-": closed).
 */
const D = (hours: string) => Array.from({ length: 7 }, () => hours);
const noSunday = (hours: string) => ['-', ...D(hours).slice(1)];
type Row = [state: string, zip: string, winter: number, summer: number, days: string[], citation: string];
const EXPECTED: Row[] = [
  ['AL', '36104', -6, -5, noSunday('8-20'), 'Ala. Admin. Code 770-X-5-.17'],
  ['AK', '99501', -9, -8, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['AR', '72201', -6, -5, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['CA', '94102', -8, -7, D('9-21'), 'Cal. PUC §2872'],
  ['CO', '80202', -7, -6, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['CT', '06103', -5, -4, D('9-20'), 'CGS §42-288a'],
  ['DE', '19801', -5, -4, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['DC', '20001', -5, -4, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['FL', '33101', -5, -4, D('8-20'), 'F.S. §501.616(6)'],
  ['GA', '30303', -5, -4, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['HI', '96813', -10, -10, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['ID', '83702', -7, -6, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['IL', '62701', -6, -5, D('8-21'), '815 ILCS 413/15'],
  ['IN', '46204', -5, -4, D('9-20'), 'Ind. Code ch. 24-5-14'],
  ['KS', '67202', -6, -5, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['KY', '40507', -5, -4, D('10-21'), 'KRS 367.46955'],
  ['LA', '70112', -6, -5, noSunday('8-20'), 'LA PSC General Order R-29617'],
  ['ME', '04101', -5, -4, ['-', ...D('9-17').slice(2), '-'], '10 M.R.S. §1498'],
  ['MD', '21201', -5, -4, D('8-20'), 'Com. Law §14-4502'],
  ['MA', '02108', -5, -4, D('8-20'), 'M.G.L. c.159C §3'],
  ['MI', '48226', -5, -4, D('9-21'), 'MCL 750.540e(1)(f)'],
  ['MN', '55401', -6, -5, D('9-21'), 'Minn. Stat. §325E.30'],
  ['MS', '39201', -6, -5, noSunday('8-20'), 'Miss. Code §77-3-723'],
  ['MO', '64106', -6, -5, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['MT', '59601', -7, -6, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['NV', '89101', -8, -7, D('9-20'), 'NRS 598.0918'],
  ['NH', '03101', -5, -4, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['NJ', '07102', -5, -4, D('8-21'), 'N.J.S.A. 56:8-128'],
  ['NM', '87501', -7, -6, D('9-21'), 'NMSA §57-12-22(B)(5)'],
  ['NY', '10001', -5, -4, ['13-21', ...D('8-21').slice(1)], 'GBL §399-z'],
  ['NC', '27601', -5, -4, D('8-21'), 'N.C.G.S. §75-102(f)'],
  ['ND', '58102', -6, -5, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['OH', '43215', -5, -4, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['OK', '73102', -6, -5, D('8-20'), '15 O.S. §775C.4'],
  ['OR', '97201', -8, -7, D('8-20'), 'ORS 646.563'],
  ['RI', '02903', -5, -4, ['-', ...D('9-18').slice(2), '10-17'], 'R.I.G.L. §5-61-3.6'],
  ['SC', '29201', -5, -4, D('8-21'), 'S.C. Code §37-21-30'],
  ['SD', '57104', -6, -5, noSunday('9-21'), 'SDCL 37-30A-3'],
  ['TN', '37201', -6, -5, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['TX', '78701', -6, -5, ['12-21', ...D('9-21').slice(1)], 'Tex. Bus. & Com. Code §301.051'],
  ['UT', '84101', -7, -6, noSunday('8-21'), 'Utah Code §13-25a-103'],
  ['VA', '23219', -5, -4, D('8-21'), 'Va. Code §59.1-511'],
  ['WA', '98101', -8, -7, D('8-20'), 'RCW 19.158.110'],
  ['WV', '25301', -5, -4, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['WI', '53202', -6, -5, D('8-21'), '47 CFR 64.1200(c)(1)'],
  ['WY', '82001', -7, -6, D('8-20'), 'Wyo. Stat. 40-12-302'],
];

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Weeks without a holiday anywhere, from Sunday on, at midnight of UTC. */
const WEEKS = { winter: Date.UTC(2026, 11, 6), summer: Date.UTC(2026, 5, 7) };

function windowOf(zip: string, state: string, at: number, phone = '+18005550100') {
  const place = placeOf({ phone, state, postalCode: zip });
  if (!place) throw new Error(`${state} ${zip} lies nowhere.`);
  return { ...windowAt({ ...place, line: 'unknown', at }), zones: place.zones };
}

const cites = ({ rules }: { rules: readonly { citation: string }[] }, citation: string) =>
  rules.some((rule) => rule.citation.includes(citation));

let cases = 0;
test.each(EXPECTED)('%s %s: the edges of each day of the week, in winter and in summer', (...row) => {
  const [state, zip, winter, summer, days, citation] = row;
  for (const [season, offset] of [
    [WEEKS.winter, winter],
    [WEEKS.summer, summer],
  ] as const)
    for (const [weekday, hours] of days.entries()) {
      const midnight = season + weekday * 24 * HOUR_MS - offset * HOUR_MS;
      const about = `${state} on day ${weekday}, ${hours} (${citation})`;
      const check = (at: number, open: boolean) => {
        cases += 1;
        const window = windowOf(zip, state, at);
        expect(window.state === 'open', `${about} at ${new Date(at).toISOString()}`).toBe(open);
        expect(cites(window, citation), `${about} is what decides`).toBe(true);
      };
      check(midnight + 7.5 * HOUR_MS, false);
      check(midnight + 21.5 * HOUR_MS, false);
      if (hours === '-') {
        check(midnight + 12 * HOUR_MS, false);
        continue;
      }
      const [from = 0, to = 0] = hours.split('-').map(Number);
      check(midnight + from * HOUR_MS - MINUTE_MS, false);
      check(midnight + from * HOUR_MS, true);
      check(midnight + to * HOUR_MS - 31_000, true);
      check(midnight + to * HOUR_MS - 29_000, false);
      check(midnight + to * HOUR_MS, false);
    }
});

test('the table above has more than 600 cases', () => {
  expect(cases).toBeGreaterThan(600);
});

/** Local times of a place as UTC. */
const utc = (text: string) => Date.parse(`${text}Z`);

const CASES: [about: string, state: string, zip: string, at: string, expected: string, citation: string][] = [
  // Borders of zones: the ZIP code decides, and not the state.
  [
    'El Paso is on Mountain time: 8:30',
    'TX',
    '79901',
    '2026-12-08T15:30:00',
    'closed',
    'Tex. Bus. & Com. Code §301.051',
  ],
  ['El Paso: 9:00', 'TX', '79901', '2026-12-08T16:00:00', 'open', 'Tex. Bus. & Com. Code §301.051'],
  ['El Paso: 20:45', 'TX', '79901', '2026-12-09T03:45:00', 'open', 'Tex. Bus. & Com. Code §301.051'],
  ['Pensacola is on Central time: 7:30', 'FL', '32501', '2026-12-08T13:30:00', 'closed', 'F.S. §501.616(6)'],
  ['Pensacola: 8:00', 'FL', '32501', '2026-12-08T14:00:00', 'open', 'F.S. §501.616(6)'],
  ['Pensacola: 19:30', 'FL', '32501', '2026-12-09T01:30:00', 'open', 'F.S. §501.616(6)'],
  ['Gary is on Central time: 8:59', 'IN', '46402', '2026-12-08T14:59:00', 'closed', 'Ind. Code ch. 24-5-14'],
  ['Gary: 9:00', 'IN', '46402', '2026-12-08T15:00:00', 'open', 'Ind. Code ch. 24-5-14'],
  ['Gary: 19:59', 'IN', '46402', '2026-12-09T01:59:00', 'open', 'Ind. Code ch. 24-5-14'],
  ['Evansville is on Central time: 8:59', 'IN', '47708', '2026-12-08T14:59:00', 'closed', 'Ind. Code ch. 24-5-14'],
  ['Evansville: 9:00', 'IN', '47708', '2026-12-08T15:00:00', 'open', 'Ind. Code ch. 24-5-14'],
  ['Malheur is on Mountain time: 8:00', 'OR', '97914', '2026-12-08T15:00:00', 'open', 'ORS 646.563'],
  ['Malheur: 20:00', 'OR', '97914', '2026-12-09T03:00:00', 'closed', 'ORS 646.563'],
  // Arizona bars sales calls to mobiles, and the line is not known.
  ['Phoenix at noon', 'AZ', '85003', '2026-12-08T19:00:00', 'barred', 'A.R.S. §44-1278(B)(3)'],
  // A ZIP code whose center has the wrong sign lies in its state all the same.
  ['ZIP 10200: 8:00', 'NY', '10200', '2026-12-08T13:00:00', 'open', 'GBL §399-z'],
  ['ZIP 10200: 7:59', 'NY', '10200', '2026-12-08T12:59:00', 'closed', 'GBL §399-z'],
  // Pennsylvania on both sides of its date.
  ['PA before: Saturday 8:00', 'PA', '17101', '2026-10-17T12:00:00', 'open', '73 P.S. §2245; Act 73 of 2019'],
  ['PA before: Friday 20:30', 'PA', '17101', '2026-10-17T00:30:00', 'open', '73 P.S. §2245; Act 73 of 2019'],
  [
    'PA before: Sunday, sources differ',
    'PA',
    '17101',
    '2026-10-11T16:00:00',
    'review',
    '73 P.S. §2245; Act 73 of 2019',
  ],
  ['PA before: Columbus Day', 'PA', '17101', '2026-10-12T16:00:00', 'closed', '73 P.S. §2245; Act 73 of 2019'],
  ['PA after: Sunday', 'PA', '17101', '2026-10-18T16:00:00', 'closed', 'Act 47 of 2026 (SB 992)'],
  ['PA after: Monday 8:30', 'PA', '17101', '2026-10-19T12:30:00', 'closed', 'Act 47 of 2026 (SB 992)'],
  ['PA after: Monday 9:00', 'PA', '17101', '2026-10-19T13:00:00', 'open', 'Act 47 of 2026 (SB 992)'],
  ['PA after: Monday 18:59', 'PA', '17101', '2026-10-19T22:59:00', 'open', 'Act 47 of 2026 (SB 992)'],
  ['PA after: Monday 19:00', 'PA', '17101', '2026-10-19T23:00:00', 'closed', 'Act 47 of 2026 (SB 992)'],
  ['PA after: Thanksgiving is not named', 'PA', '17101', '2026-11-26T17:00:00', 'open', 'Act 47 of 2026 (SB 992)'],
  // Holidays.
  ['AL on Christmas', 'AL', '36104', '2026-12-25T18:00:00', 'closed', 'Ala. Admin. Code 770-X-5-.17'],
  ['AL on Mardi Gras', 'AL', '36104', '2027-02-09T18:00:00', 'closed', 'Ala. Admin. Code 770-X-5-.17'],
  [
    'LA on All Saints’ Day, a Monday in 2027',
    'LA',
    '70112',
    '2027-11-01T18:00:00',
    'closed',
    'LA PSC General Order R-29617',
  ],
  ['LA on Good Friday', 'LA', '70112', '2027-03-26T18:00:00', 'closed', 'LA PSC General Order R-29617'],
  ['RI on Victory Day', 'RI', '02903', '2026-08-10T16:00:00', 'closed', 'R.I.G.L. §5-61-3.6'],
  ['UT on Pioneer Day', 'UT', '84101', '2026-07-24T18:00:00', 'closed', 'Utah Code §13-25a-103'],
  ['UT on the day after', 'UT', '84101', '2026-07-25T18:00:00', 'open', 'Utah Code §13-25a-103'],
  ['FL on Christmas: its law names no holidays', 'FL', '33101', '2026-12-25T18:00:00', 'open', 'F.S. §501.616(6)'],
  // Sources that differ, and states whose law was not verified.
  ['NY on a Sunday morning', 'NY', '10001', '2026-12-06T15:00:00', 'review', 'GBL §399-z'],
  ['MI at 8:30', 'MI', '48226', '2026-12-08T13:30:00', 'review', 'MCL 750.540e(1)(f)'],
  ['NV at 8:30', 'NV', '89101', '2026-12-08T16:30:00', 'review', 'NRS 598.0918'],
  [
    'IA at noon',
    'IA',
    '50309',
    '2026-12-08T18:00:00',
    'unknown',
    'no state law verified, hours of 47 CFR 64.1200(c)(1)',
  ],
  [
    'NE at noon',
    'NE',
    '68102',
    '2026-12-08T18:00:00',
    'unknown',
    'no state law verified, hours of 47 CFR 64.1200(c)(1)',
  ],
  [
    'VT at noon',
    'VT',
    '05401',
    '2026-12-08T17:00:00',
    'unknown',
    'no state law verified, hours of 47 CFR 64.1200(c)(1)',
  ],
  [
    'VT at night',
    'VT',
    '05401',
    '2026-12-08T05:00:00',
    'closed',
    'no state law verified, hours of 47 CFR 64.1200(c)(1)',
  ],
  // The days on which clocks change.
  ['IL on the first day of summer time: 7:59', 'IL', '62701', '2026-03-08T12:59:00', 'closed', '815 ILCS 413/15'],
  ['IL on the first day of summer time: 8:00', 'IL', '62701', '2026-03-08T13:00:00', 'open', '815 ILCS 413/15'],
  ['IL on the last day of summer time: 8:00', 'IL', '62701', '2026-11-01T14:00:00', 'open', '815 ILCS 413/15'],
  ['IL on the last day of summer time: 7:59', 'IL', '62701', '2026-11-01T13:59:00', 'closed', '815 ILCS 413/15'],
];
test.each(CASES)('%s', (_about, state, zip, at, expected, citation) => {
  const window = windowOf(zip, state, utc(at));
  expect(window.state).toBe(expected);
  expect(cites(window, citation)).toBe(true);
});

/** Each legal holiday of 2026 and 2027 that falls on a day on which the law otherwise allows calls. Noon of that day, in UTC. */
const HOLIDAYS: [state: string, zip: string, noon: number, citation: string, days: string][] = [
  [
    'AL',
    '36104',
    18,
    'Ala. Admin. Code 770-X-5-.17',
    '2026-01-01 2026-01-19 2026-02-16 2026-02-17 2026-04-27 2026-05-25 2026-06-01 2026-06-19 2026-07-04 2026-09-07 2026-10-12 2026-11-11 2026-11-26 2026-12-25 2027-01-01 2027-01-18 2027-02-09 2027-02-15 2027-05-31 2027-07-05 2027-09-06 2027-11-11 2027-11-25 2027-12-25',
  ],
  [
    'LA',
    '70112',
    18,
    'LA PSC General Order R-29617',
    '2026-01-01 2026-02-17 2026-04-03 2026-07-04 2026-09-07 2026-11-11 2026-11-26 2026-12-25 2027-02-09 2027-03-26 2027-11-01 2027-11-25',
  ],
  [
    'RI',
    '02903',
    17,
    'R.I.G.L. §5-61-3.6',
    '2026-01-01 2026-05-25 2026-08-10 2026-09-07 2026-10-12 2026-11-11 2026-11-26 2026-12-25 2027-05-31 2027-08-09',
  ],
  [
    'UT',
    '84101',
    19,
    'Utah Code §13-25a-103',
    '2026-01-01 2026-01-19 2026-02-16 2026-05-25 2026-07-04 2026-07-24 2026-09-07 2026-10-12 2026-11-11 2026-11-26 2026-12-25 2027-07-24',
  ],
  ['PA', '17101', 17, '73 P.S. §2245', '2026-01-01 2026-01-19 2026-05-25 2026-07-04 2026-09-07 2026-10-12'],
];
test.each(HOLIDAYS)('%s is closed on its legal holidays, and the day names one', (state, zip, noon, citation, days) => {
  for (const day of days.split(' ')) {
    const window = windowOf(zip, state, utc(`${day}T${noon}:00:00`));
    expect(window.state, `${state} on ${day} (${citation})`).toBe('closed');
    expect(window.holiday, `${state} on ${day}`).toEqual(expect.any(String));
    expect(cites(window, citation)).toBe(true);
  }
});

/** Legal holidays that other states and the United States do not have, or have on another day. Their law beside that of the hours. */
const OWN_HOLIDAYS: [state: string, zip: string, noon: number, citation: string, law: string, days: string][] = [
  // Juneteenth is on the Monday before, or after a weekend. Good Friday since the spring of 2026.
  [
    'UT',
    '84101',
    19,
    'Utah Code §13-25a-103',
    'Utah Code 63G-1-301',
    '2025-06-16 2026-06-15 2027-06-21 2029-06-18 2030-06-17 2027-03-26 2028-04-14 2029-03-30 2030-04-19',
  ],
  [
    'LA',
    '70112',
    18,
    'LA PSC General Order R-29617',
    'La. R.S. 1:55',
    '2026-01-08 2027-01-08 2025-08-30 2027-08-30 2026-11-03 2028-11-07 2026-11-27 2027-11-26',
  ],
  // Its Juneteenth is the third Saturday of June, and offices close on the Friday before.
  [
    'LA',
    '70112',
    18,
    'LA PSC General Order R-29617',
    'La. Acts 2021, No. 128',
    '2025-06-20 2025-06-21 2026-06-19 2026-06-20 2027-06-18 2027-06-19 2028-06-16 2028-06-17 2029-06-15 2029-06-16 2030-06-14 2030-06-15',
  ],
  // Counties and towns may keep it.
  [
    'AL',
    '36104',
    18,
    'Ala. Admin. Code 770-X-5-.17',
    'Ala. Code §1-3-8',
    '2025-12-01 2026-12-01 2027-12-01 2028-12-01 2029-11-30 2029-12-01 2030-12-02',
  ],
  // What falls on a Saturday is on the Monday after.
  [
    'RI',
    '02903',
    17,
    'R.I.G.L. §5-61-3.6',
    'R.I.G.L. §25-1-1',
    '2026-05-04 2025-05-05 2027-05-04 2026-07-06 2027-12-27 2028-01-03 2028-11-13',
  ],
];
test.each(OWN_HOLIDAYS)('%s is closed on the legal holidays of its own', (state, zip, noon, citation, law, days) => {
  for (const day of days.split(' ')) {
    const window = windowOf(zip, state, utc(`${day}T${noon}:00:00`));
    expect(window.holiday, `${state} on ${day} (${law})`).toEqual(expect.any(String));
    expect(window.state, `${state} on ${day} (${law})`).toBe('closed');
    expect(cites(window, citation)).toBe(true);
  }
});

/** The edges of the first days of summer and of winter time: hours follow the clocks of the place. */
const CLOCKS: [state: string, zip: string, spring: number, autumn: number, hours: string, citation: string][] = [
  ['IL', '62701', -5, -6, '8-21', '815 ILCS 413/15'],
  ['FL', '33101', -4, -5, '8-20', 'F.S. §501.616(6)'],
  ['FL', '32501', -5, -6, '8-20', 'F.S. §501.616(6)'],
  ['NM', '87501', -6, -7, '9-21', 'NMSA §57-12-22(B)(5)'],
  ['WA', '98101', -7, -8, '8-20', 'RCW 19.158.110'],
  ['CT', '06103', -4, -5, '9-20', 'CGS §42-288a'],
  ['VA', '23219', -4, -5, '8-21', 'Va. Code §59.1-511'],
  ['HI', '96813', -10, -10, '8-21', 'Haw. (federal hours by reference)'],
  ['TX', '79901', -6, -7, '12-21', 'Tex. Bus. & Com. Code §301.051'],
  ['IN', '46402', -5, -6, '9-20', 'Ind. Code ch. 24-5-14'],
  ['IN', '46204', -4, -5, '9-20', 'Ind. Code ch. 24-5-14'],
];
test.each(CLOCKS)('%s %s on the days on which clocks change', (state, zip, spring, autumn, hours, citation) => {
  const [from = 0, to = 0] = hours.split('-').map(Number);
  for (const [midnight, offset] of [
    [Date.UTC(2026, 2, 8), spring],
    [Date.UTC(2026, 10, 1), autumn],
    [Date.UTC(2027, 2, 14), spring],
    [Date.UTC(2027, 10, 7), autumn],
  ] as const)
    for (const [at, open] of [
      [from * HOUR_MS - 1, false],
      [from * HOUR_MS, true],
      [to * HOUR_MS - 30_001, true],
      [to * HOUR_MS - 30_000, false],
    ] as const) {
      const window = windowOf(zip, state, midnight - offset * HOUR_MS + at);
      expect(window.state === 'open', `${state} ${zip}, ${at} ms after midnight (${citation})`).toBe(open);
      expect(cites(window, citation)).toBe(true);
    }
});

/** Beside borders of zones that coarse maps draw wrong. The hours in UTC, in which the clocks that may be meant all allow calls. */
const BORDERS: [place: string, state: string, zip: string, opens: string, closes: string, citation: string][] = [
  ['Williston', 'ND', '58801', '2026-12-08T15:00', '2026-12-09T03:00', '47 CFR 64.1200(c)(1)'],
  ['Watford City', 'ND', '58854', '2026-12-08T15:00', '2026-12-09T03:00', '47 CFR 64.1200(c)(1)'],
  ['Mobridge', 'SD', '57601', '2026-12-08T16:00', '2026-12-09T03:00', 'SDCL 37-30A-3'],
  ['Hotevilla, Hopi land', 'AZ', '86030', '2026-07-14T15:00', '2026-07-15T03:00', '47 CFR 64.1200(c)(1)'],
  ['Keams Canyon, Hopi land', 'AZ', '86034', '2026-07-14T15:00', '2026-07-15T03:00', '47 CFR 64.1200(c)(1)'],
  ['Kykotsmovi, Hopi land', 'AZ', '86039', '2026-07-14T15:00', '2026-07-15T03:00', '47 CFR 64.1200(c)(1)'],
  ['Polacca, Hopi land', 'AZ', '86042', '2026-07-14T15:00', '2026-07-15T03:00', '47 CFR 64.1200(c)(1)'],
  ['Second Mesa, Hopi land', 'AZ', '86043', '2026-07-14T15:00', '2026-07-15T03:00', '47 CFR 64.1200(c)(1)'],
  ['Fredonia', 'AZ', '86022', '2026-07-14T15:00', '2026-07-15T03:00', '47 CFR 64.1200(c)(1)'],
  ['Colorado City', 'AZ', '86021', '2026-07-14T15:00', '2026-07-15T03:00', '47 CFR 64.1200(c)(1)'],
  ['Marble Canyon', 'AZ', '86036', '2026-07-14T15:00', '2026-07-15T03:00', '47 CFR 64.1200(c)(1)'],
  ['Wewahitchka', 'FL', '32465', '2026-12-08T14:00', '2026-12-09T01:00', 'F.S. §501.616(6)'],
  ['Iron River', 'MI', '49935', '2026-12-08T15:00', '2026-12-09T03:00', 'MCL 750.540e(1)(f)'],
  ['Crystal Falls', 'MI', '49920', '2026-12-08T15:00', '2026-12-09T03:00', 'MCL 750.540e(1)(f)'],
  ['Cannelton, Perry County', 'IN', '47520', '2026-12-08T15:00', '2026-12-09T02:00', 'Ind. Code ch. 24-5-14'],
  ['Tell City, Perry County', 'IN', '47586', '2026-12-08T15:00', '2026-12-09T02:00', 'Ind. Code ch. 24-5-14'],
  ['Brewster', 'KS', '67732', '2026-12-08T15:00', '2026-12-09T03:00', '47 CFR 64.1200(c)(1)'],
  // Nebraska's own hours were not verified: within the federal hours it is unknown.
  ['Mullen', 'NE', '69152', '2026-12-08T15:00', '2026-12-09T03:00', '47 CFR 64.1200(c)(1)'],
  ['Jamieson', 'OR', '97909', '2026-12-08T16:00', '2026-12-09T03:00', 'ORS 646.563'],
];
/** Where some of them are. */
const SPOTS: Record<string, { latitude: number; longitude: number }> = {
  58801: { latitude: 48.147, longitude: -103.618 },
  57601: { latitude: 45.538, longitude: -100.435 },
  86022: { latitude: 36.945, longitude: -112.527 },
  86043: { latitude: 35.795, longitude: -110.503 },
  32465: { latitude: 30.112, longitude: -85.2 },
  97909: { latitude: 44.185, longitude: -117.434 },
};
test.each(BORDERS)('%s, %s %s: no call begins outside of the hours there', (_place, state, zip, opens, closes, law) => {
  const coordinates = SPOTS[zip];
  const known = [{ postalCode: zip }, ...(coordinates ? [{ coordinates }, { coordinates, postalCode: zip }] : [])];
  for (const facts of known) {
    const place = placeOf({ phone: '+18005550100', state, ...facts });
    const isClosed = (at: number) => {
      const window = windowAt({ states: [state], zones: place?.zones ?? [], line: 'landline', at });
      expect(cites(window, law)).toBe(true);
      return !['open', 'unknown'].includes(window.state);
    };
    const [from, to] = [utc(opens), utc(closes)];
    const edges = [from - 1, from, to - 31_000, to - 29_000].map(isClosed);
    expect(edges, `${state} ${JSON.stringify(facts)}`).toEqual([true, false, false, true]);
  }
});

test('the table of zones names each ZIP code of a state that has several, and zones of that state only', () => {
  const several = Object.entries(STATE_ZONES).filter(([, zones = []]) => zones.length > 1);
  for (const [zip, { state }] of zipCenters()) {
    const [, all = []] = several.find(([code]) => code === state) ?? [];
    if (all.length === 0) continue;
    const zones = zonesOfZip(state, zip) ?? [];
    expect(zones.length, `${state} ${zip}`).toBeGreaterThan(0);
    expect(zones.filter((zone) => !all.includes(zone))).toEqual([]);
  }
  // No such ZIP code: all zones of the state count.
  expect(placeOf({ phone: '+18005550100', state: 'TX', postalCode: '79998' })?.zones).toHaveLength(1);
  expect(placeOf({ phone: '+18005550100', state: 'TX', postalCode: '79400' })?.zones).toHaveLength(2);
});

test('around a border, all zones near a ZIP code must allow it', () => {
  // Pierre is on Central time. Across the river it is Mountain time.
  const { zones } = windowOf('57501', 'SD', utc('2026-12-08T18:00:00'));
  expect(zones).toEqual(['America/Chicago', 'America/Denver']);
});

test('the Navajo Nation has summer time, the rest of Arizona has not', () => {
  const zonesOf = (zip: string) => windowOf(zip, 'AZ', utc('2026-07-08T19:00:00')).zones;
  // Lands of the two are interlaced: both must allow it.
  expect(zonesOf('86515')).toEqual(['America/Phoenix', 'America/Denver']);
  expect(zonesOf('85003')).toEqual(['America/Phoenix']);
  const landline = (zip: string, at: string) => {
    const place = placeOf({ phone: '+19285550100', state: 'AZ', postalCode: zip });
    return windowAt({ states: ['AZ'], zones: place?.zones ?? [], line: 'landline', at: utc(at) }).state;
  };
  expect(landline('86515', '2026-07-08T14:00:00')).toBe('closed');
  expect(landline('86515', '2026-07-08T15:00:00')).toBe('open');
  expect(landline('86515', '2026-07-09T03:00:00')).toBe('closed');
  expect(landline('85003', '2026-07-08T14:00:00')).toBe('closed');
  expect(landline('85003', '2026-07-08T15:00:00')).toBe('open');
});

test('Canada and the Caribbean share +1, and have other laws', () => {
  const verdict = (phone: string) =>
    judgeCall({
      phone,
      state: 'NY',
      postalCode: '10001',
      line: 'landline',
      scrub: { status: 'safe', expired: false },
      at: utc('2026-12-08T18:00:00'),
    }).verdict;
  expect(verdict('+12125550100')).toBe('callable');
  expect(verdict('+18005550100')).toBe('callable');
  for (const code of ['416', '604', '876', '809']) expect(verdict(`+1${code}5550100`)).toBe('unknown');
});

test('the hours of territories were not verified', () => {
  for (const [state, zip] of [
    ['PR', '00901'],
    ['GU', '96910'],
  ] as const)
    expect(windowOf(zip, state, utc(state === 'GU' ? '2026-12-08T02:00:00' : '2026-12-08T16:00:00')).state).toBe(
      'unknown',
    );
});

test('in years whose holidays are not known, states with holidays are unknown', () => {
  // Christmas and New Year’s Day at noon, on both sides of the table.
  for (const [state, zip, noon] of [
    ['AL', '36104', 18],
    ['LA', '70112', 18],
    ['MS', '39201', 18],
    ['PA', '17101', 17],
    ['RI', '02903', 17],
    ['UT', '84101', 19],
  ] as const) {
    expect(windowOf(zip, state, utc(`2024-12-25T${noon}:00:00`)).state, state).not.toBe('open');
    expect(windowOf(zip, state, utc(`2021-11-25T${noon}:00:00`)).state, state).not.toBe('open');
    // Its law knows none anymore by then.
    if (state !== 'PA') expect(windowOf(zip, state, utc(`2031-01-01T${noon}:00:00`)).state, state).not.toBe('open');
  }
  expect(windowOf('60601', 'IL', utc('2024-12-25T18:00:00')).state).toBe('open');
});

test('without a ZIP code all zones of the state must allow it', () => {
  const texas = (at: string) => {
    const place = placeOf({ phone: '+18005550100', state: 'TX' });
    return windowAt({ states: ['TX'], zones: place?.zones ?? [], line: 'unknown', at: utc(at) });
  };
  expect(texas('2026-12-08T15:30:00').state).toBe('closed');
  expect(texas('2026-12-08T16:00:00')).toMatchObject({ state: 'open', closesAt: utc('2026-12-09T03:00:00') });
  expect(texas('2026-12-08T05:00:00')).toMatchObject({ state: 'closed', opensAt: utc('2026-12-08T16:00:00') });
});

test('an area code of another state adds its laws and its zones, and decides nothing alone', () => {
  const place = placeOf({ phone: '+12125550100', state: 'CA', postalCode: '94102' });
  expect(place).toMatchObject({
    states: ['CA', 'NY'],
    zones: ['America/Los_Angeles', 'America/New_York'],
    numberState: 'NY',
  });
  expect(placeOf({ phone: '+12125550100' })).toBeUndefined();
  expect(placeOf({ phone: '+18505550100', state: 'FL', postalCode: '32501' })?.zones).toEqual(['America/Chicago']);
  expect(placeOf({ phone: '+12175550100', address: '1 Elm St, Springfield, IL 62701, USA' })).toEqual({
    states: ['IL'],
    zones: ['America/Chicago'],
  });
  expect(placeOf({ phone: '+12175550100', address: '1 Elm St, Austin, TX 62701, USA' })?.conflict).toBe(
    'The address names TX and IL.',
  );
});
