import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

/** In which /proc counts, on every Linux there is. */
const MS_OF_A_TICK = 10;

/** The memory that a process has in RAM, in bytes. Read from a file where there is one: a new process for each look takes time from what is measured. */
export function residentBytes(pid: number): number {
  const status = `/proc/${pid}/status`;
  const kilobytes = existsSync(status) ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
  if (kilobytes !== undefined) return Number(kilobytes) * 1_024;
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1_024;
}

/** The same of a server and of its process for long work, if there is one. Linux only. */
export function residentBytesWithApart(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const apart = children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('apart/child.ts'));
  return residentBytes(pid) + apart.reduce((sum, child) => sum + residentBytes(Number(child)), 0);
}

/** The processor time that the main thread of a process has used, in ms: while it works, no one else is answered. Linux only. */
export function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;
}

/** The processor time that each of some processes has used, with all its threads, in ms; not of those that are gone. Linux only. */
export function processorTimes(pids: readonly number[]): Map<number, number> {
  const times = pids.flatMap((pid): [number, number][] => {
    const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : undefined;
    // What stands before the last bracket is the name, which may hold spaces.
    const fields = /\) (.*)$/s.exec(stat ?? '')?.[1]?.split(' ');
    return fields ? [[pid, (Number(fields[11]) + Number(fields[12])) * MS_OF_A_TICK]] : [];
  });
  return new Map(times);
}

/** What those that are in both have used in between, in ms. */
export function usedBetween(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? ms), 0);
}

/** PostgreSQL's processes that work for a database, and those that write for all. */
export async function backendPids(db: Db): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity`.execute(db);
  return rows.map((row) => row.pid);
}
