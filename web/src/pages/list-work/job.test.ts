import { describe, expect, test } from 'vitest';
import { ApiError, type ApiErrorKind } from '#web/lib/backend/api-error.ts';
import { failureNews, isCut } from './job.ts';

const error = (kind: ApiErrorKind, status: number, code?: string, serverMessage?: string) =>
  new ApiError(serverMessage ?? `HTTP ${status}`, { kind, status, code, serverMessage });

const SEARCH = { query: 'dentists', location: 'Tulsa, OK', radius: 8_000, maxResults: 20 };

describe('what a failure says', () => {
  test.each([
    ['search', error('http', 502), 'Search failed', 'Search failed with HTTP 502'],
    ['search', error('http', 422, 'UNKNOWN_PLACE', 'No such place.'), 'Search failed', 'No such place.'],
    ['search', error('unauthenticated', 0, '', 'Not authenticated'), 'Search failed', 'Not authenticated'],
    ['search', new Error('boom'), 'Search failed', 'boom'],
    ['search', 'odd', 'Search failed', 'Unknown error'],
    ['enrichment', error('http', 500), 'Enrichment failed', 'Email enrichment failed with HTTP 500'],
    ['enrichment', error('unauthenticated', 0), 'Enrichment failed', 'Please sign in to enrich emails.'],
    ['enrichment', error('http', 401), 'Enrichment failed', 'Please sign in to enrich emails.'],
    [
      'enrichment',
      error('http', 400, 'MISSING_API_KEY'),
      'Enrichment failed',
      'Hunter.io API key is missing. Add it in Settings > API Providers.',
    ],
    ['compliance', error('http', 500), 'Compliance check failed', 'Compliance failed with HTTP 500'],
    ['compliance', error('unauthenticated', 0), 'Compliance check failed', 'Please sign in to check compliance.'],
    [
      'compliance',
      error('http', 400, 'MISSING_API_KEY'),
      'Compliance check failed',
      'SearchBug API key is missing. Add it in Settings > API Providers.',
    ],
  ] as const)('%s, %s', (kind, thrown, title, text) => {
    const job = kind === 'search' ? { kind, search: SEARCH } : { kind };
    expect(failureNews({ ...job, listId: 'list', limit: {} }, thrown)).toEqual({ title, text });
  });

  test('a run that only verifies emails is called so', () => {
    const verify = { kind: 'enrichment', steps: ['verifier'], listId: 'list', limit: {} } as const;
    expect(failureNews(verify, error('http', 500))).toEqual({
      title: 'Email verification failed',
      text: 'Email verification failed with HTTP 500',
    });
  });
});

test('only a missing answer leaves open what the server does', () => {
  expect(isCut(error('network', 0))).toBe(true);
  expect(isCut(error('non_json', 502))).toBe(false);
  expect(isCut(new Error('boom'))).toBe(false);
});
