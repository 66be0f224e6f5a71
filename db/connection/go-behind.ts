import { readFileSync, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** How much less than other processes of this machine one counts that goes behind them, as `nice` has it. */
const BEHIND = 5;
/** Linux takes one such wish at a time of people who are not root, ten a second. */
const ATTEMPTS = 20;
/** Between two of them, in ms, and up to as much again: many processes may wish at once. */
const AGAIN_MS = 100;

/** What pg knows of its connection and does not declare. */
type Backend = { processID?: number | null; connection?: { stream?: { localPort?: number } } };

/**
 * Has PostgreSQL's process for `client` go behind the others of this machine. Does nothing where that is elsewhere, where this process
 * may not, and where there is no /proc.
 */
export async function goBehind(client: ClientBase): Promise<void> {
  const { processID, connection } = client as ClientBase & Backend;
  const port = connection?.stream?.localPort;
  if (!processID || port === undefined || !serves(processID, port)) return;
  try {
    setPriority(processID, Math.min(getPriority(processID) + BEHIND, constants.priority.PRIORITY_LOW));
  } catch {
    return; // it belongs to another user
  }
  await groupBehind(processID, port);
}

/** Whether that process is PostgreSQL's for the connection from `port`: in a container, numbers of processes mean others. */
function serves(pid: number, port: number): boolean {
  try {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return title.startsWith('postgres:') && title.includes(`(${port})`);
  } catch {
    return false;
  }
}

/** Where Linux shares processors among sessions, priorities hold within one, and each process of PostgreSQL is one. */
async function groupBehind(pid: number, port: number): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // It may have ended meanwhile, and its number may be another's.
    if (!serves(pid, port)) return;
    try {
      return writeFileSync(`/proc/${pid}/autogroup`, String(BEHIND), { flag: 'r+' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      await pause(AGAIN_MS * (1 + Math.random()), undefined, { ref: false });
    }
  }
}
