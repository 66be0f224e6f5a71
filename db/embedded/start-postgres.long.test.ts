import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { isRoot } from './owner.ts';
import { type EmbeddedPostgres, startPostgres } from './start-postgres.ts';

// Each test starts a PostgreSQL or more, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const settings = { fsync: 'off' };
let dataDir: string;
let started: EmbeddedPostgres | undefined;

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
const start = async () => {
  started = await startPostgres({ dataDir, settings });
  return started;
};

beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(async () => {
  await started?.stop();
  started = undefined;
  rmSync(dataDir, { recursive: true, force: true });
});

describe('startPostgres', () => {
  test('keeps what was written over a stop, on 127.0.0.1 only and with a password', async () => {
    const first = await start();
    expect(first.how).toBe('started');
    const url = await first.database('app');
    await ask(url, 'create table kept as select 42 as n');
    expect(await ask(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    await expect(ask(url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
      'password authentication failed',
    );
    await first.stop();
    await expect(ask(url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    const again = await start();
    expect(await ask(await again.database('app'), 'select n from kept')).toEqual([{ n: 42 }]);
  });

  test('refuses while another instance owns the folder, and disturbs it not', async () => {
    const url = await (await start()).database('app');
    await expect(startPostgres({ dataDir, settings })).rejects.toThrow(/in use by another running Fairlead/);
    expect(await ask(url, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('of two first starts at the same moment one wins, and nothing is left over', async () => {
    const results = await Promise.allSettled([
      startPostgres({ dataDir, settings }),
      startPostgres({ dataDir, settings }),
    ]);
    const won = results.filter((one) => one.status === 'fulfilled');
    expect(won).toHaveLength(1);
    started = won[0]?.value;
    expect(readdirSync(dataDir)).toEqual(['postgres']);
  });

  test('takes over a server whose owner was killed', async () => {
    const pid = await startElsewhereAndKill();
    const mine = await start();
    expect([mine.how, mine.pid]).toEqual(['taken over', pid]);
    expect(await ask(await mine.database('app'), 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('starts again when owner and server were both killed', async () => {
    process.kill(await startElsewhereAndKill(), 'SIGKILL');
    const mine = await start();
    expect(mine.how).toBe('started');
    expect(await ask(await mine.database('app'), 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('brings a killed server back at the same address', async () => {
    const first = await start();
    const url = await first.database('app');
    await ask(url, 'create table kept as select 42 as n');
    process.kill(first.pid, 'SIGKILL');
    await expect.poll(() => ask(url, 'select n from kept').catch(() => []), { timeout: 10_000 }).toEqual([{ n: 42 }]);
    await first.stop();
    await expect(ask(url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  });
});

describe('startPostgres refuses, and leaves alone,', () => {
  test('a folder that is not ours', async () => {
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres', 'diary.txt'), 'private');
    await expect(start()).rejects.toThrow(/is not a Fairlead database/);
    expect(readFileSync(join(dataDir, 'postgres', 'diary.txt'), 'utf8')).toBe('private');
  });

  test('a cluster of another major version', async () => {
    mkdirSync(join(dataDir, 'postgres', 'cluster'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'), '15\n');
    writeFileSync(join(dataDir, 'postgres', 'password'), 'x');
    await expect(start()).rejects.toThrow(/made by PostgreSQL 15, and this is PostgreSQL 18/);
  });

  test('a pointer to a folder that is gone', async () => {
    writeFileSync(join(dataDir, 'postgres.path'), '/var/lib/fairlead/gone\n');
    await expect(start()).rejects.toThrow(/is in \/var\/lib\/fairlead\/gone, which is gone/);
    expect(readdirSync(dataDir)).toEqual(['postgres.path']);
  });
});

describe.runIf(isRoot())('as root', () => {
  test('in a folder that only root may enter, the data lie elsewhere and are found again', async () => {
    const secret = mkdtempSync(join(tmpdir(), 'fairlead-root-'));
    const home = () => readFileSync(join(secret, 'postgres.path'), 'utf8').trim();
    try {
      const first = await startPostgres({ dataDir: secret, settings });
      await ask(await first.database('app'), 'create table kept as select 42 as n');
      await first.stop();
      expect(home()).toMatch(/^\/var\/lib\/fairlead\/[0-9a-f]{12}$/);
      expect(existsSync(join(secret, 'postgres'))).toBe(false);
      const again = await startPostgres({ dataDir: secret, settings });
      expect(await ask(await again.database('app'), 'select n from kept')).toEqual([{ n: 42 }]);
      await again.stop();
    } finally {
      rmSync(home(), { recursive: true, force: true });
      rmSync(secret, { recursive: true, force: true });
    }
  });
});

/** Starts it in a process that is then killed; returns the postmaster's pid. */
async function startElsewhereAndKill(): Promise<number> {
  const module = new URL('./start-postgres.ts', import.meta.url).href;
  const script = `
    const { startPostgres } = await import(${JSON.stringify(module)});
    const postgres = await startPostgres(${JSON.stringify({ dataDir, settings })});
    console.log(postgres.pid);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  return Number(String(line));
}
