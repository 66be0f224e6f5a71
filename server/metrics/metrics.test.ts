import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connect } from '#db/connection/client.ts';
import { startQueue } from '#jobs/queue.ts';
import { createReadiness } from '#server/http/health/readiness.ts';
import { cuttableDatabase } from '#test/databases/cuttable-database.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { createMetrics } from './metrics.ts';

test('counts by closed labels, and looks up what is open in the database', async () => {
  const { db, pool } = connect(await freshDatabase());
  const metrics = createMetrics({ db, pools: { requests: pool } });
  metrics.requestEnded('GET', '/rest/v1/:table', 200, 0.03);
  metrics.runEnded('search', 'completed');
  metrics.callsEnded('searchbug', 'answered', 20);
  await sql`
    with one as (insert into auth.users (email) values ('ann@people.example') returning id)
    insert into app.runs (user_id, list_name, kind, input, sandbox, created_at)
    select id, 'Dentists', 'search', '{}', true, now() - interval '90 seconds' from one`.execute(db);
  const { text, contentType } = await metrics.render();
  expect(contentType).toContain('text/plain');
  for (const line of [
    'fairlead_http_request_duration_seconds_count{method="GET",route="/rest/v1/:table",status="200"} 1',
    'fairlead_runs_ended_total{kind="search",state="completed"} 1',
    'fairlead_paid_calls_total{provider="searchbug",outcome="answered"} 20',
    'fairlead_runs_open{kind="search",state="queued"} 1',
    'fairlead_database_connections{pool="requests",state="wanted"} 0',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    expect(text).toContain(line);
  expect(text).toMatch(/fairlead_oldest_queued_run_seconds (8|9)\d/);
  expect(text).not.toMatch(/ann@|Dentists/);
  await db.destroy();
  expect((await metrics.render()).text).toContain('fairlead_oldest_queued_run_seconds Nan');
});

test('is not ready while the database is away, and is ready again after that', async () => {
  const way = await cuttableDatabase(await freshDatabase());
  const { db } = connect(way.url);
  const queue = await startQueue(way.url);
  const readiness = createReadiness({ db, queue });
  expect(await readiness()).toEqual({ database: true, queue: true });
  await way.cut();
  await expect.poll(readiness, { timeout: 5_000 }).toEqual({ database: false, queue: false });
  await way.restore();
  await expect.poll(readiness, { timeout: 10_000 }).toEqual({ database: true, queue: true });
  await queue.stop();
  await db.destroy();
  await way.close();
});
