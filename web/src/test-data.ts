import type { LoggedCall } from '#contract/calling/calls.ts';
import type { Usage } from '#contract/money/usage.ts';
import { type LeadList, type ListRow, readList } from '#contract/work/lists.ts';
import type { Run } from '#contract/work/runs.ts';

/** Builders for tests of the screens about lists: what is left out has believable values. */

export const aListRow = (row: Partial<ListRow> = {}): ListRow => ({
  id: 'list-1',
  name: 'dentists in Springfield, IL',
  lead_count: 48,
  search_params: { businessType: 'dentists', location: 'Springfield, IL', radius: '5', maxResults: '60' },
  status: 'completed',
  completeness: 45,
  tier1_complete: true,
  lifecycle_status: 'active',
  resolved_place: 'Springfield, IL',
  came_from: [],
  created_at: '2026-11-01T12:00:00Z',
  updated_at: '2026-11-01T12:00:00Z',
  ...row,
});

export const aList = (list: Partial<LeadList> = {}): LeadList => ({ ...readList(aListRow()), ...list });

export const aRun = (run: Partial<Run> = {}): Run => ({
  id: 'run-1',
  listId: 'list-1',
  kind: 'search',
  state: 'completed',
  estimateMicros: 1_020_000,
  boundMicros: 1_020_000,
  costMicros: 105_000,
  uncertainMicros: 0,
  waiting: null,
  resumeAt: null,
  errorCode: null,
  errorMessage: null,
  createdAt: '2026-11-01T12:00:00Z',
  startedAt: null,
  finishedAt: null,
  ...run,
});

/** `count` lead rows of a list, with phones and websites, and nothing that enrichment brings. */
export const leadRows = (count: number, row: (index: number) => Record<string, unknown> = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({
    id: `lead-${index}`,
    list_id: 'list-1',
    position: index,
    business_name: `Business ${String(index).padStart(2, '0')}`,
    phone: `(217) 555-01${String(index).padStart(2, '0')}`,
    address: `${index} Main Street`,
    website: `https://business${index}.example/`,
    ...row(index),
  }));

/** The usage of someone who has paid for nothing yet. */
export const NO_USAGE: Usage = {
  money: 'real',
  known: [],
  days: [],
  providers: [],
  lists: [],
  otherLists: null,
  totals: { calls: 0, failed: 0, uncertain: 0, costMicros: 0, uncertainMicros: 0, recalled: 0, savedMicros: 0 },
  businesses: { runs: 0, asked: 0, found: 0, costMicros: 0 },
  emails: { runs: 0, asked: 0, found: 0, costMicros: 0 },
  verifications: { runs: 0, asked: 0, found: 0, costMicros: 0 },
  phones: { runs: 0, asked: 0, found: 0, costMicros: 0 },
};

/** A call of a week ago without an outcome, as the server tells it. */
export const aCall = (more: Partial<LoggedCall> = {}): LoggedCall => ({
  id: crypto.randomUUID(),
  calledAt: '2026-11-19T18:00:00Z',
  verdict: 'callable',
  outcome: null,
  outcomeAt: null,
  callBackAt: null,
  note: null,
  isOwn: true,
  ...more,
});
