import { expect, test } from 'vitest';
import type { CrmPull } from '#contract/calling/suppression-sources.ts';
import { failureText, pullText } from './pull-words.ts';

const pull: CrmPull = {
  state: 'idle',
  sandbox: false,
  startedAt: '2026-11-24T10:00:00.000Z',
  endedAt: '2026-11-24T10:01:00.000Z',
  completeAt: '2026-11-24T10:01:00.000Z',
  failure: null,
  leftOut: null,
  tagBefore: null,
  contacts: 3,
  addresses: 1,
  added: 5,
};

test('a pull says when it was, and what it brought', () => {
  expect(pullText(pull)).toMatch(
    /^Last asked Nov 2\d, .+: 3 contacts with the tag, 1 address asked about, 5 new entries\.$/,
  );
  expect(pullText({ ...pull, state: 'running', added: 1 })).toContain('So far: 3 contacts with the tag');
  expect(pullText({ ...pull, endedAt: null })).toBe('Keap has not been asked yet.');
  expect(failureText(pull)).toBeUndefined();
});

test('a failure never looks like the end', () => {
  const failed = { ...pull, failure: 'Keap is having trouble right now.', completeAt: null };
  expect(failureText(failed)).toBe(
    'Keap is having trouble right now. Some people who opted out may be missing. None has been complete so far.',
  );
});
