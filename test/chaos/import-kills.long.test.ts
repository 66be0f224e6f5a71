import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startImportEndpoint } from '#contract/imports/imports.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { uploadFile } from '#test/imports.ts';
import { chanceOf } from './harness/chance.ts';
import { createFleet, type Fleet } from './harness/fleet.ts';
import { type Site, startSite } from './harness/site.ts';

const ROWS = 20_000;
const KILLS = 5;
/** Before a kill, from when rows are on their way. */
const LONGEST_PAUSE_MS = 400;

let site: Site;
let fleet: Fleet;
beforeAll(async () => {
  site = await startSite(undefined);
  fleet = createFleet(site);
});
afterAll(() => site.stop());

const progress = async (id: string) =>
  throughOutage(() =>
    site.db.selectFrom('app.imports').select(['state', 'done']).where('id', '=', id).executeTakeFirstOrThrow(),
  );

test(`${KILLS} times kill -9 during an import: no row is lost, and none is there twice`, {
  timeout: 900_000,
}, async () => {
  const random = chanceOf('import kills');
  const user = await site.office.user('importer');
  const lines = Array.from({ length: ROWS }, (_, at) => `Invented ${at},(312) 555-0100,invented-${at}.example,${at}`);
  const file = await uploadFile(site.office, user, `Company,Phone,Website,Number\n${lines.join('\n')}\n`);
  await user.call(startImportEndpoint, { duplicates: 'add', listName: 'Killed' }, { id: file.importId });
  await fleet.resize(2);
  await fleet.ready();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = await progress(file.importId);
    if (before.state === 'completed') break;
    await vi.waitFor(async () => expect((await progress(file.importId)).done).toBeGreaterThan(before.done), {
      timeout: 180_000,
      interval: 10,
    });
    await sleep(random.below(LONGEST_PAUSE_MS));
    await fleet.kill('all');
    // No one is left to hold it: to let the lease run out now is the same as to wait for it.
    await sql`update app.imports set lease_expires_at = now() where state = 'running'`.execute(site.db);
  }
  await vi.waitFor(async () => expect((await progress(file.importId)).state).toBe('completed'), {
    timeout: 300_000,
    interval: 100,
  });
  const { rows } = await sql<{ leads: number; rows: number; positions: number; first: number; last: number }>`
    select count(*)::integer as leads, count(distinct import_row)::integer as rows,
      count(distinct extra ->> 'Number')::integer as positions, min(import_row) as first, max(import_row) as last
    from public.leads where import_id = ${file.importId}
  `.execute(site.db);
  expect(rows[0]).toEqual({ leads: ROWS, rows: ROWS, positions: ROWS, first: 2, last: ROWS + 1 });
  expect(fleet.starts).toBeGreaterThan(2);
});
