import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from './constants.ts';
import type { Owner } from './owner.ts';

const LOG_LIMIT_BYTES = 10_000_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // Seeking costs a disk without moving parts next to nothing: the default of 4 makes a page of a long list a scan and a sort.
  random_page_cost: '1.1',
  // The leads of the longest list are sorted in memory.
  work_mem: '16MB',
};

/** Starts PostgreSQL so that it outlives us. `exited` turns true when it ends early. */
export function launch(options: {
  bin: string;
  cluster: string;
  log: string;
  owner: Owner | undefined;
  settings: Record<string, string>;
}): { readonly exited: boolean } {
  const { bin, cluster, log, owner } = options;
  const settings = { ...SETTINGS, ...options.settings };
  const args = ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  // A file, not a pipe, that a process of ours would have to keep open.
  const output = openSync(log, isLarge(log) ? 'w' : 'a');
  // A session of its own: Ctrl-C in the terminal then reaches us, and not PostgreSQL before us.
  const child = spawn(join(bin, 'postgres'), args, {
    ...owner,
    cwd: '/',
    detached: true,
    stdio: ['ignore', output, output],
    env: childEnvironment(),
  });
  closeSync(output);
  child.unref();
  const state = { exited: false };
  child.on('exit', () => {
    state.exited = true;
  });
  child.on('error', () => {
    state.exited = true;
  });
  return state;
}

/** The running postmaster of a cluster, from lines 1 and 4 of its postmaster.pid. A file whose process is gone counts as none. */
export function runningPostmaster(cluster: string): { pid: number; port: number } | undefined {
  const lines = readPidFile(cluster);
  const [pid, port] = [Number(lines?.[0]), Number(lines?.[3])];
  return pid && port && isPostmasterOf(pid, cluster) ? { pid, port } : undefined;
}

/**
 * Removes a postmaster.pid whose number belongs to another process. PostgreSQL would take that for itself and refuse to start.
 * It happens after a crash of the machine, in a new container, or with a zombie that no one reaped.
 */
export function dropStalePidFile(cluster: string): void {
  const pid = Number(readPidFile(cluster)?.[0]);
  if (pid && isAlive(pid) && !isPostmasterOf(pid, cluster)) rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/** Whether a process of that number exists, be it a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isPostmasterOf(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster);
  } catch {
    return process.platform !== 'linux';
  }
}

function readPidFile(cluster: string): string[] | undefined {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
}

const isLarge = (file: string) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES;
