import { expect, test } from 'vitest';
import { listName, milesToMeters, readMaxResults, SearchForm, searchLeadsEndpoint } from './search.ts';

test.each([
  [5, 8_047],
  [10, 16_093],
  [25, 40_234],
  [50, 80_467],
  [100, 160_934],
])('%d miles are %d meters', (miles, meters) => {
  expect(milesToMeters(miles)).toBe(meters);
});

test.each([
  ['20', 20],
  ['60', 60],
  ['', 50],
  ['many', 50],
  ['-3', 50],
  ['1000', 60],
])('max results %j are read as %d', (text, value) => {
  expect(readMaxResults(text)).toBe(value);
});

test('the form says what is missing in the words of the spec', () => {
  const result = SearchForm.safeParse({ businessType: ' ab ', location: 'x', radius: '25', maxResults: '60' });
  expect(result.error?.issues.map((issue) => issue.message)).toEqual([
    'Business type must be at least 3 characters',
    'Location must be at least 2 characters',
  ]);
});

test('ten business types of a hundred characters fit a search of an area, and its name', () => {
  const types = Array.from({ length: 10 }, (_, at) => `${at}`.repeat(100));
  const form = { businessType: types.join(', '), location: 'Springfield, IL', radius: '25', maxResults: 'all' };
  const messages = (more: object) =>
    SearchForm.safeParse({ ...form, ...more }).error?.issues.map((issue) => issue.message);
  expect(messages({})).toBeUndefined();
  expect(listName(form)).toBe(`${'0'.repeat(100)} and 9 more in Springfield, IL`);
  expect(messages({ businessType: `${form.businessType}, plumber` })).toEqual(['Enter at most 10 business types']);
  expect(messages({ businessType: `plumber, ${'x'.repeat(101)}` })).toEqual([
    'Business type must be at most 100 characters',
  ]);
  expect(messages({ maxResults: '60' })).toEqual(['Business type must be at most 100 characters']);
});

const body = { query: 'plumber', location: 'Austin, TX', list_id: 'a', radius: 40_234, maxResults: 60 };

test('numbers and ids may come as strings', () => {
  expect(searchLeadsEndpoint.body.parse({ ...body, list_id: 7, radius: '40234', maxResults: '60' })).toEqual({
    ...body,
    list_id: '7',
  });
});

test.each([
  { radius: 0 },
  { radius: -5 },
  { radius: 200_000 },
  { radius: 'far' },
  { maxResults: 0 },
  { maxResults: 61 },
  { maxResults: 1.5 },
  { maxResults: '1e9' },
  { list_id: '' },
  { query: 'x'.repeat(10_000) },
  { location: null },
])('%j is refused', (bad) => {
  expect(searchLeadsEndpoint.body.safeParse({ ...body, ...bad }).success).toBe(false);
});
