import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { connect } from './client.ts';

const open = async (url: string, isBehind: boolean) => {
  const { db } = connect(url, { max: 1, isBehind });
  onTestFinished(() => db.destroy());
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? 0;
};

/** Empty where Linux shares by process alone, or a container or a service has a share of its own. */
const groupOf = (pid: number) => {
  const path = `/proc/${pid}/autogroup`;
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

test.runIf(process.platform === 'linux')('what may wait goes behind the rest of PostgreSQL', async () => {
  const url = await freshDatabase('empty');
  const [usual, behind] = [await open(url, false), await open(url, true)];
  await expect.poll(() => getPriority(behind) - getPriority(usual)).toBe(Math.min(5, 19 - getPriority(usual)));
  if (groupOf(behind)) await expect.poll(() => groupOf(behind), { timeout: 4_000 }).toMatch(/ nice 5$/m);
  expect(groupOf(usual)).not.toMatch(/ nice 5$/m);
});
