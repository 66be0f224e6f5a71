// Long work of one server, in a process of its own: see server/apart/.
import { constants, getPriority, setPriority } from 'node:os';
import { Beginning } from '#server/apart/told.ts';

// Threads that begin later have it too. A person who waits for a page goes before one who waits for a file.
setPriority(Math.min(getPriority() + 10, constants.priority.PRIORITY_LOW));
// They reach the whole group of processes. This one ends with its server, which lets requests end first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

process.once('message', async (message: unknown) => {
  const { serve } = await import('./serve.ts');
  await serve(Beginning.parse(message));
});
