import { expect, test } from 'vitest';
import { refusePattern } from './pattern.ts';

const regex = (pattern: string) => refusePattern('match', pattern, false);

test.each([
  '^(a*)(b*)\\1$',
  '(a*)(a*)(a*)(a*)\\1\\2\\3\\4',
  '(a)\\1',
  '(?=a)b',
  '(?!a)b',
  '(?<=a)b',
  '(?<!a)b',
  '(?i)a',
  '(?x) a b',
  '***:(a)\\1',
  '***=a',
  '(a*)*',
  '(a+)+',
  '((ab)*c*)+',
  '(?:a*){2,5}',
  '(a*)(a*)',
  'a*a*',
  '.*.*x',
  '\\w+\\d+',
  'a*b?a*',
  '[a-z]+[a-z]+',
  'a{101}',
  'a{1,255}',
  '((a{10}){10}){10}',
  'a{200,}',
  'a*'.padEnd(201, 'x'),
  'a*b*c*d*e*f*g*h*i*j*k*',
])('refuses %s', (pattern) => {
  expect(regex(pattern)).toMatch(/^a regular expression may /);
  expect(refusePattern('imatch', pattern, false)).toBe(regex(pattern));
});

test.each([
  'bak(e|ing)ry',
  '^.*dentist.*$',
  '^\\+1\\d{10}$',
  '^\\d+\\s+\\w+$',
  '(?:www\\.)?example\\.(com|org)',
  '[[:alpha:]]+ street',
  '[]*+a-z]+$',
  '\\mplumb(er|ing)?s?\\M',
  'a+b+a+',
  'a{2,5}b{3}',
  '(foo|ba+r)?baz',
  '[\\]]*x',
  'a{b',
  ')',
  '',
])('takes %s', (pattern) => {
  expect(regex(pattern)).toBeUndefined();
});

test('LIKE takes ten wildcards, whichever of the two signs, and no more', () => {
  for (const operator of ['like', 'ilike']) {
    expect(refusePattern(operator, '%*'.repeat(5), false)).toBeUndefined();
    expect(refusePattern(operator, '%*'.repeat(5).concat('%'), false)).toContain('at most 10 wildcards');
  }
});

test('each pattern of an array is read as PostgreSQL reads it', () => {
  expect(refusePattern('match', '{foo,"ba+r"}', true)).toBeUndefined();
  expect(refusePattern('match', '{foo,"(a)\\\\1"}', true)).toContain('refer back');
  expect(refusePattern('match', '{foo,(a)\\\\1}', true)).toContain('refer back');
  expect(refusePattern('match', '[0:1]={foo,(a)\\\\1}', true)).toContain('refer back');
  expect(refusePattern('match', '{{foo},{(a)\\\\1}}', true)).toContain('refer back');
  expect(refusePattern('like', `{${'a,'.repeat(20)}a}`, true)).toContain('at most 20 patterns');
});

test('what is no pattern is left alone', () => {
  expect(refusePattern('eq', '(a*)*\\1', false)).toBeUndefined();
  expect(refusePattern('cs', '{(a*)*}', true)).toBeUndefined();
});
