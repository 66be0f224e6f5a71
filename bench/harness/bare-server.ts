import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RecordedRead } from './recorded-read.ts';

/** What the bare server answers at `/<name>`: `text` passes PostgreSQL's JSON on, `objects` parses rows and serializes them again. */
export type BareRoute = RecordedRead & { answer: 'text' | 'objects' };
export type BareSetup = { databaseUrl: string; routes: Record<string, BareRoute> };

/** Starts a node:http server with nothing but the SQL of its routes, in a process of its own. */
export async function startBareServer(setup: BareSetup): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const child = fork(fileURLToPath(new URL('bare-handler.ts', import.meta.url)));
  child.send(setup);
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
