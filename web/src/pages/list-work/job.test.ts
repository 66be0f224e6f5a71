import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, type ApiErrorKind } from '#web/lib/api-error.ts';
import { ok, seedSession, stubServer } from '#web/test-app.tsx';
import { aRun } from '#web/test-data.ts';
import { failureNews, isCut, takenOn } from './job.ts';

beforeEach(seedSession);

const error = (kind: ApiErrorKind, status: number, code?: string, serverMessage?: string) =>
  new ApiError(serverMessage ?? `HTTP ${status}`, { kind, status, code, serverMessage });

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
    expect(failureNews(kind, thrown)).toEqual({ title, text });
  });
});

test('only a missing answer leaves open what the server does', () => {
  expect(isCut(error('network', 0))).toBe(true);
  expect(isCut(error('non_json', 502))).toBe(false);
  expect(isCut(new Error('boom'))).toBe(false);
});

describe('waiting until work is taken on', () => {
  const never = new Promise<boolean>(() => {});

  test('ends when the server has a run for it', async () => {
    const seen = stubServer({
      'GET /api/runs': () => ok({ runs: seen.length < 2 ? [] : [aRun({ kind: 'enrichment', state: 'running' })] }),
    });
    expect(await takenOn('list-1', 'enrichment', never)).toBe(true);
    expect(seen).toHaveLength(2);
    expect(seen[0]?.query).toBe('?list_id=list-1');
  });

  test('another kind of run is not it', async () => {
    stubServer({ 'GET /api/runs': () => ok({ runs: [aRun({ state: 'running' })] }) });
    const outcome = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 600));
    const waiting = vi.fn<() => void>();
    const taken = takenOn('list-1', 'enrichment', outcome).finally(waiting);
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect(waiting).not.toHaveBeenCalled();
    expect(await taken).toBe(true);
  });

  test('ends with a refusal', async () => {
    stubServer({});
    expect(await takenOn('list-1', 'enrichment', Promise.resolve(false))).toBe(false);
  });
});
