import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { connect } from '#db/connection/client.ts';
import { createVault } from '#db/sealed/vault.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { verifyChain } from '#server/evidence/verify-chain.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { chanceOf, FULL } from './harness/chance.ts';

const KILLS = FULL ? 100 : 4;
const OF_A_TRANSACTION = 3;
const LONGEST_LIFE_MS = 300;
const APPENDER = new URL('harness/append-forever.ts', import.meta.url).pathname;

test(`two processes append at once, and ${KILLS} times one is killed: no fork, no gap, and nothing is lost or half there`, {
  timeout: 60_000 + KILLS * 15_000,
}, async () => {
  const random = chanceOf('evidence kills');
  const url = await freshDatabase();
  const key = randomBytes(32).toString('base64');
  const { db } = connect(url);
  const vault = await evidenceVault(db, createVault([key]));
  /** Actors of the transactions that a process has been told are committed. */
  const told = new Set<string>();
  const start = () => {
    const child = spawn(process.execPath, [APPENDER, url, key], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    let lines = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      const whole = (text + chunk.toString()).split('\n');
      text = whole.pop() ?? '';
      lines += whole.length;
      for (const actor of whole) told.add(actor);
    });
    const closed = once(child, 'close');
    return {
      isAtWork: () => lines > 0,
      kill: async () => {
        child.kill('SIGKILL');
        expect(await closed).toEqual([null, 'SIGKILL']);
      },
    };
  };
  const both = [start(), start()];
  for (let kill = 0; kill < KILLS; kill += 1) {
    await vi.waitFor(() => expect(both.every((one) => one.isAtWork())).toBe(true), { timeout: 30_000, interval: 5 });
    await sleep(random.below(LONGEST_LIFE_MS));
    const victim = random.below(2);
    await both[victim]?.kill();
    both[victim] = start();
  }
  await Promise.all(both.map((one) => one.kill()));
  // The connections of the last two may still be at it.
  const left = () =>
    sql`select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and state <> 'idle'`.execute(db);
  await vi.waitFor(async () => expect((await left()).rows).toEqual([]), { timeout: 30_000 });

  const { rows } = await sql<{ actor: string; entries: number; stretch: number }>`
    select actor_id as actor, count(*)::integer as entries, (max(position) - min(position) + 1)::integer as stretch
    from app.evidence group by actor_id`.execute(db);
  expect(await verifyChain(db, vault)).toEqual({ ok: true, entries: OF_A_TRANSACTION * rows.length });
  expect(rows.filter(({ entries, stretch }) => entries !== OF_A_TRANSACTION || stretch !== entries)).toEqual([]);
  const there = new Set(rows.map(({ actor }) => actor));
  expect(told.size).toBeGreaterThan(KILLS);
  expect([...told].filter((actor) => !there.has(actor))).toEqual([]);
  expect((await sql`select from app.evidence_waiting`.execute(db)).rows).toEqual([]);
  await db.destroy();
});
