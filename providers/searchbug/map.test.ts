import { expect, test } from 'vitest';
import { toMicros, toVerdict, toVerdicts } from './map.ts';

const number = '2175550142';

test.each([
  ['clean', { DNC: 'NO', TCPA: 'NO' }, { status: 'safe' }],
  ['clean in other letters', { DNC: ' no ', TCPA: 'No' }, { status: 'safe' }],
  ['on federal and state lists', { DNC: 'FED, tx', TCPA: 'NO' }, { status: 'dnc', codes: 'FED,TX' }],
  ['a complainer', { DNC: 'CPL', TCPA: 'NO' }, { status: 'dnc', codes: 'CPL' }],
  ['an unknown list', { DNC: 'MAYBE', TCPA: 'NO' }, { status: 'dnc', codes: 'MAYBE' }],
  ['a litigator', { DNC: 'NO', TCPA: 'YES' }, { status: 'litigator' }],
  ['a litigator on a list', { DNC: 'FED', TCPA: 'yes' }, { status: 'litigator', codes: 'FED' }],
  ['DNC missing', { TCPA: 'NO' }, { status: 'not_checked' }],
  ['DNC empty', { DNC: ' ', TCPA: 'NO' }, { status: 'not_checked' }],
  ['TCPA missing', { DNC: 'NO' }, { status: 'not_checked' }],
  ['TCPA empty', { DNC: 'NO', TCPA: '' }, { status: 'not_checked' }],
  ['TCPA unreadable', { DNC: 'NO', TCPA: 'UNKNOWN' }, { status: 'not_checked' }],
  ['nothing', {}, { status: 'not_checked' }],
])('%s', (_, fields, expected) => {
  expect(toVerdict({ NUMBER: number, ...fields })).toEqual({ number, ...expected });
});

test.each([
  [{ TYPE: 'CELLULAR', VOIP: 'NO' }, 'mobile'],
  [{ TYPE: 'landline' }, 'landline'],
  [{ TYPE: 'LANDLINE', VOIP: 'YES' }, 'voip'],
  [{ TYPE: 'PAGER' }, undefined],
  [{}, undefined],
])('the line type of %j is %s', (fields, lineType) => {
  expect(toVerdict({ NUMBER: number, DNC: 'NO', TCPA: 'NO', ...fields })?.lineType).toBe(lineType);
});

const clean = (NUMBER: string) => ({ NUMBER, DNC: 'NO', TCPA: 'NO' });
const success = (PHONE: unknown) => ({ Status: 'Success', Error: null, Data: { PHONE } });
const statuses = (answer: Parameters<typeof toVerdicts>[0], asked = [number, '2175550143']) =>
  [...toVerdicts(answer, asked)].map(([key, verdict]) => [key, verdict.status]).sort();

test('an object or an array, in any order and spelling of the number, is matched by number', () => {
  expect(statuses(success(clean(number)), [number])).toEqual([[number, 'safe']]);
  const listed = { NUMBER: '+1 (217) 555-0143', DNC: 'FED', TCPA: 'NO' };
  expect(statuses(success([listed, clean(number)]))).toEqual([
    [number, 'safe'],
    ['2175550143', 'dnc'],
  ]);
});

test('what is missing, unasked or unreadable is not checked', () => {
  expect(statuses(success([clean(number), clean('9995550100'), 'text', null, { DNC: 'NO', TCPA: 'NO' }]))).toEqual([
    [number, 'safe'],
    ['2175550143', 'not_checked'],
  ]);
  expect(statuses(success(undefined), [number])).toEqual([[number, 'not_checked']]);
});

test.each([
  { ...success(clean(number)), Error: 'partial failure' },
  { ...success(clean(number)), Error: { code: 1 } },
  { ...success(clean(number)), Status: 'Partial' },
  { Status: 'Success' },
])('nothing is believed beside an error: %j', (answer) => {
  expect(statuses(answer, [number])).toEqual([[number, 'not_checked']]);
});

test('of two entries for one number the more restrictive holds', () => {
  const twice = [{ NUMBER: number, DNC: 'FED', TCPA: 'NO' }, clean(number)];
  expect(statuses(success(twice), [number])).toEqual([[number, 'dnc']]);
  expect(statuses(success(twice.toReversed()), [number])).toEqual([[number, 'dnc']]);
});

test.each([
  ['0.02', 20_000],
  ['0.0214', 21_400],
  ['$1,049.82', 1_049_820_000],
  [49.82, 49_820_000],
  ['-0.5', -500_000],
  ['', undefined],
  ['free', undefined],
  [null, undefined],
])('%j dollars are %j micro-dollars', (text, micros) => {
  expect(toMicros(text)).toBe(micros);
});
