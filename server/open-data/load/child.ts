import { existsSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { z } from 'zod/mini';
import { UnreadableFile } from '#server/open-data/read/chunk.ts';
import type { FromChild } from './load-apart.ts';
import { loadPlaces } from './load-places.ts';
import { Order } from './order.ts';

/** What the process is told: where the database is, for its eyes only, and what to load. */
const Told = z.object({ url: z.string(), order: Order, startedBy: z.optional(z.string()) });

process.once('message', (message: unknown) => void work(Told.parse(message)));
// No one waits for it anymore. What is staged is taken up by the next one.
process.once('disconnect', () => process.exit(1));

async function work({ url, order, startedBy }: z.output<typeof Told>): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'fairlead import', keepAlive: true });
  client.on('error', () => {}); // the query that is waiting is rejected as well
  const tell = (said: FromChild) => process.send?.(said);
  try {
    await client.connect();
    const loaded = await loadPlaces(client, { order, startedBy, progress: (progress) => tell({ progress }) });
    const mebibytes = mostMebibytes();
    process.send?.({ loaded: { ...loaded, mebibytes } } satisfies FromChild, () => process.disconnect());
  } catch (error) {
    const refused = error instanceof UnreadableFile;
    const message = error instanceof Error ? error.message : 'The import failed.';
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined;
    process.send?.({ failed: { message, refused, reason } } satisfies FromChild, () => process.disconnect());
  } finally {
    await client.end();
  }
}

/** The most memory that this process held. What resourceUsage says begins at what the parent held at the fork on Linux. */
function mostMebibytes(): number {
  const status = '/proc/self/status';
  const kilobytes = existsSync(status) ? /^VmHWM:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
  return Math.round(Number(kilobytes ?? process.resourceUsage().maxRSS) / 1024);
}
