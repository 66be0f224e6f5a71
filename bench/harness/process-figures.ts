import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The memory that a process has in RAM, in bytes. */
export function residentBytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1_024;
}

/** The processor time that the main thread of a process has used, in ms: while it works, nobody else is answered. Linux only. */
export function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;
}
