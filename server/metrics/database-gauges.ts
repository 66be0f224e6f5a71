import { sql } from 'kysely';
import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import type { Db } from '#db/connection/client.ts';

type MeasuredPool = Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
export type MeasuredDatabase = { db: Db; pools: Readonly<Record<string, MeasuredPool>> };

/** Figures that are looked up when Prometheus asks. Those of runs are left out while the database is away. */
export function addDatabaseGauges(registry: Registry, { db, pools }: MeasuredDatabase): void {
  const registers = [registry];
  new Gauge({
    name: 'fairlead_database_connections',
    help: 'Connections of each pool: open, open and idle, and requests that wait for one.',
    labelNames: ['pool', 'state'] as const,
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'open' }, totalCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'wanted' }, waitingCount);
      }
    },
  });
  // Both gauges are collected at once, and share one look.
  let look: ReturnType<typeof openRuns> | undefined;
  const lookOnce = () => {
    look ??= openRuns(db).finally(() => {
      look = undefined;
    });
    return look.catch(() => undefined);
  };
  new Gauge({
    name: 'fairlead_runs_open',
    help: 'Runs that wait in the queue or are worked on. All processes.',
    labelNames: ['kind', 'state'] as const,
    registers,
    async collect() {
      const rows = await lookOnce();
      this.reset();
      for (const { kind, state, runs } of rows ?? []) this.set({ kind, state }, runs);
    },
  });
  new Gauge({
    name: 'fairlead_oldest_queued_run_seconds',
    help: 'How long the run has waited that has waited longest; 0 when none waits. All processes.',
    registers,
    async collect() {
      const queued = (await lookOnce())?.filter((row) => row.state === 'queued');
      this.set(queued ? Math.max(0, ...queued.map((row) => row.oldest_seconds)) : Number.NaN);
    },
  });
}

/** Reads the index of open runs. */
async function openRuns(db: Db) {
  const { rows } = await sql<{ kind: string; state: string; runs: number; oldest_seconds: number }>`
    select kind, state, count(*) as runs, extract(epoch from now() - min(created_at))::float8 as oldest_seconds
    from app.runs where state in ('queued', 'running') group by kind, state`.execute(db);
  return rows;
}
