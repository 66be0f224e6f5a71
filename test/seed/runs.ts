import type { Insertable } from 'kysely';
import type { DB } from '#db/types.gen.ts';
import { prices } from '#providers/prices.ts';
import { seedId } from './ids.ts';

type Kind = 'search' | 'enrichment' | 'compliance';
type Operation = 'locate' | 'search_page' | 'domain_search' | 'phone_scrub';

/** A run of a seeded list, and what its ledger holds. `minutes`: how long after the list's creation it began. */
export type SeedRun = {
  kind: Kind;
  minutes: number;
  state: 'completed' | 'failed' | 'running';
  totals: Record<string, number>;
  input?: Record<string, unknown>;
  error?: { code: string; message: string };
  calls: readonly { operation: Operation; count: number; paid: number }[];
};

const PROVIDER = {
  locate: 'google_places',
  search_page: 'google_places',
  area_count: 'google_places',
  domain_search: 'hunter_io',
  phone_scrub: 'searchbug',
};
const PRICE = {
  locate: prices.googleLocateMicros,
  search_page: prices.googleSearchPageMicros,
  area_count: prices.googleAreaCountMicros,
  domain_search: prices.hunterDomainMicros,
  phone_scrub: prices.searchbugNumberMicros,
};
const MINUTE_MS = 60_000;
/** A run that is shown under way is left alone by workers this long; then one takes it up and finishes it. */
const SHOWN_RUNNING_MS = 24 * 60 * MINUTE_MS;

type Owner = { userId: string; listId: string; listName: string; createdAt: Date };

/** The rows of a run and its calls. */
export function runRows(
  { userId, listId, listName, createdAt }: Owner,
  run: SeedRun,
): { run: Insertable<DB['app.runs']> & { id: string }; calls: Insertable<DB['app.paid_calls']>[] } {
  const id = seedId(`run ${run.kind} of ${listId}`);
  const began = new Date(createdAt.getTime() + run.minutes * MINUTE_MS);
  const ended = new Date(began.getTime() + MINUTE_MS / 10);
  const isRunning = run.state === 'running';
  const calls = run.calls.flatMap(({ operation, count, paid }) =>
    Array.from({ length: count }, (_, index) => ({
      idempotency_key: `seed:${id}:${operation}:${index}`,
      run_id: id,
      user_id: userId,
      provider: PROVIDER[operation],
      operation,
      subject: `seed ${index} of ${id}`,
      state: 'answered',
      estimate_micros: PRICE[operation],
      cost_micros: index < paid ? PRICE[operation] : 0,
      attempts: 1,
      sandbox: true,
      planned_at: began,
      sent_at: began,
      settled_at: ended,
    })),
  );
  const estimateMicros = calls.reduce((sum, call) => sum + call.estimate_micros, 0);
  return {
    run: {
      id,
      user_id: userId,
      list_id: listId,
      list_name: listName,
      kind: run.kind,
      state: run.state,
      input: JSON.stringify(run.input ?? {}),
      totals: JSON.stringify(run.totals),
      estimate_micros: estimateMicros,
      bound_micros: estimateMicros,
      error_code: run.error?.code ?? null,
      error_message: run.error?.message ?? null,
      sandbox: true,
      created_at: began,
      started_at: began,
      progressed_at: began,
      finished_at: isRunning ? null : ended,
      lease_owner: isRunning ? seedId('nobody') : null,
      lease_expires_at: isRunning ? new Date(Date.now() + SHOWN_RUNNING_MS) : null,
    },
    calls,
  };
}
