import { describe, expect, test } from 'vitest';
import type { Run } from '#contract/work/runs.ts';
import { aRun } from '#web/test-data.ts';
import { failureOf, isFree, lastEnded, type Refusal, type Work, workOf } from './failure.ts';

const fresh = { tier1Complete: false, leadCount: 0 };
const searched = { tier1Complete: true, leadCount: 48 };

describe('what failed', () => {
  test('the run that ended last says it, with all that Retry needs', () => {
    const run = aRun({
      kind: 'compliance',
      state: 'failed',
      errorCode: 'OUT_OF_CREDIT',
      errorMessage: 'No credit.',
      leadIds: ['a'],
      estimateMicros: 40_000,
      boundMicros: 20_000,
    });
    expect(failureOf(searched, run, [], true)).toEqual({
      work: {
        kind: 'compliance',
        chosen: { choice: { lead_ids: ['a'] }, count: 1 },
        searchFor: undefined,
        spendAtMostMicros: 20_000,
      },
      reason: 'No credit.',
      code: 'OUT_OF_CREDIT',
    });
  });

  test('a limit is only repeated where its user has set one', () => {
    expect(workOf(aRun({ estimateMicros: 40_000, boundMicros: 40_000 }))).not.toHaveProperty('spendAtMostMicros');
    expect(workOf(aRun({ estimateMicros: 0, boundMicros: 0 }))).not.toHaveProperty('spendAtMostMicros');
    expect(workOf(aRun({ estimateMicros: 0, boundMicros: 20_000 }))).toMatchObject({ spendAtMostMicros: 20_000 });
    expect(workOf(aRun({ kind: 'place' }))).toBeUndefined();
  });

  test('an enrichment is repeated where it looked before, and without Hunter it is free', () => {
    const repeated = (steps: Run['steps']) => workOf(aRun({ kind: 'enrichment', state: 'failed', steps }));
    expect(repeated(['open', 'website'])).toMatchObject({ kind: 'enrichment', steps: ['open', 'website'] });
    const free = (work: Work | undefined) => work && isFree(work);
    expect(free(repeated(['open', 'website']))).toBe(true);
    expect(free(repeated(['website', 'hunter']))).toBe(false);
    expect(free(repeated(undefined))).toBe(false);
    expect(free({ kind: 'compliance' })).toBe(false);
  });

  test('a refusal that is remembered holds until a run has begun since', () => {
    const refused: Refusal = {
      work: { kind: 'enrichment' },
      reason: 'Email enrichment failed with HTTP 502',
      code: undefined,
      since: '2026-11-02T12:00:00Z',
    };
    const before = aRun({ state: 'failed', createdAt: '2026-11-02T11:59:59Z' });
    expect(failureOf(searched, before, [refused], true)).toBe(refused);
    expect(failureOf(searched, undefined, [refused], true)).toBe(refused);
    const after = aRun({ kind: 'compliance', state: 'failed', createdAt: '2026-11-02T12:00:01Z' });
    expect(failureOf(searched, after, [refused], true)?.work?.kind).toBe('compliance');
    // Another kind of work that went well does not do what was refused.
    const other = aRun({ kind: 'compliance', state: 'completed', createdAt: '2026-11-02T12:00:01Z' });
    expect(failureOf(searched, other, [refused], true)).toBe(refused);
    const same = aRun({ kind: 'enrichment', state: 'completed', createdAt: '2026-11-02T12:00:01Z' });
    expect(failureOf(searched, same, [refused], true)?.work).toBeUndefined();
  });

  test('of two refusals the newest is shown, and then the other one', () => {
    const refusal = (kind: Work['kind']): Refusal => ({
      work: { kind },
      reason: `The ${kind} was refused.`,
      code: undefined,
      since: '2026-11-02T12:00:00Z',
    });
    const both = [refusal('enrichment'), refusal('compliance')];
    expect(failureOf(searched, undefined, both, true)?.work?.kind).toBe('compliance');
    const retried = aRun({ kind: 'compliance', state: 'completed', createdAt: '2026-11-02T12:00:01Z' });
    expect(failureOf(searched, retried, both, true)?.work?.kind).toBe('enrichment');
  });

  test('a list that was never searched waits for its search', () => {
    expect(failureOf(fresh, undefined, [], true)?.work).toEqual({ kind: 'search' });
  });

  test('of anything else nothing is guessed', () => {
    expect(failureOf(searched, aRun(), [], true)?.work).toBeUndefined();
    expect(failureOf(searched, undefined, [], true)?.work).toBeUndefined();
  });

  test('of runs that waited for each other the one that ended last counts, not the one that was asked for last', () => {
    const emails = aRun({ id: 'emails', kind: 'enrichment', state: 'failed', finishedAt: '2026-11-01T12:09:00Z' });
    const check = aRun({ id: 'check', kind: 'compliance', state: 'cancelled', finishedAt: '2026-11-01T12:01:00Z' });
    expect(lastEnded([check, emails])?.id).toBe('emails');
    expect(lastEnded([aRun({ id: 'open', finishedAt: null })])?.id).toBe('open');
    expect(lastEnded([])).toBeUndefined();
  });
});
