// Long work of one server, in a process of its own: see server/apart/.
import { existsSync, readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { Beginning } from '#server/apart/told.ts';

/** Linux has a priority for each thread, and V8's have begun already. Those that begin later take after theirs. */
const THREADS = '/proc/self/task';
const priority = Math.min(getPriority() + 10, constants.priority.PRIORITY_LOW);
// A person who waits for a page goes before one who waits for a file.
for (const thread of existsSync(THREADS) ? readdirSync(THREADS) : [0]) setPriority(Number(thread), priority);
// They reach the whole group of processes. This one ends with its server, which lets requests end first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

process.once('message', async (message: unknown) => {
  const { serve } = await import('./serve.ts');
  await serve(Beginning.parse(message));
});
