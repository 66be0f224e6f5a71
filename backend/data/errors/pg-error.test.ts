import { DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { DataError } from './data-error.ts';
import { toDataError } from './pg-error.ts';

const failure = (code: string) => {
  const error = new DatabaseError('secret words', 12, 'error');
  return Object.assign(error, { code, detail: 'secret detail', hint: 'secret hint' });
};

it.each([
  ['22P02', 400],
  ['23502', 400],
  ['23503', 409],
  ['23505', 409],
  ['23514', 400],
  ['25006', 405],
  ['40001', 500],
  ['42883', 404],
  ['42P01', 404],
  ['42703', 400],
  ['53300', 503],
  ['57014', 500],
  ['57P01', 503],
  ['P0001', 400],
  ['XX000', 500],
])('%s is HTTP %d', (code, status) => {
  const refusal = toDataError(failure(code), 'authenticated');
  expect({ code: refusal.code, status: refusal.status }).toEqual({ code, status });
  const shown = JSON.stringify(refusal.body());
  // The caller's own mistakes are explained in PostgreSQL's words; ours are not.
  if (status >= 500) expect(shown).not.toContain('secret');
  else expect(refusal.body()).toEqual({ code, message: 'secret words', details: 'secret detail', hint: 'secret hint' });
});

it('a missing privilege is 401 for who may still sign in', () => {
  expect(toDataError(failure('42501'), 'anon').status).toBe(401);
  expect(toDataError(failure('42501'), 'authenticated').status).toBe(403);
});

it('a lost connection is told apart from a mistake of our own', () => {
  const refusal = toDataError(
    Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' }),
    'anon',
  );
  expect({ status: refusal.status, code: refusal.code }).toEqual({ status: 503, code: 'PGRST001' });
  expect(refusal.message).not.toContain('10.0.0.7');
  for (const words of ['Connection terminated unexpectedly', 'timeout exceeded when trying to connect']) {
    expect(toDataError(new Error(words), 'anon').status).toBe(503);
  }
  const mistake = toDataError(new TypeError('secret is undefined'), 'anon');
  expect({ status: mistake.status, code: mistake.code }).toEqual({ status: 500, code: 'PGRSTX00' });
  expect(mistake.message).not.toContain('secret');
});

it('its own refusals stay what they are', () => {
  const own = new DataError(406, 'PGRST116', 'x');
  expect(toDataError(own, 'anon')).toBe(own);
});
