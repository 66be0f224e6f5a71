// A process of its own that makes calls which take a while, as many at a time as a run does, each when the limiter lets it.
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '#db/connection/client.ts';
import { forEachAtOnce } from '#server/lib/for-each-at-once.ts';
import { type Limit, takeDeparturesUnder } from '#server/paid-calls/departure/departures.ts';

export type Errand = { url: string; bucket: string; calls: number; limits: Limit[]; latencyMs: number };
/** When each call left, as ms since 1970. */
export type Departures = { departures: number[] };

/** As many as an enrichment has at work. */
const AT_ONCE = 32;

const { url, bucket, calls, limits, latencyMs } = JSON.parse(process.argv[2] ?? '') as Errand;
const { db } = connect(url);
const departures: number[] = [];
await forEachAtOnce(Array(calls), AT_ONCE, async () => {
  const [waitMs] = await takeDeparturesUnder(db, bucket, limits, 1);
  await pause(waitMs);
  departures.push(performance.timeOrigin + performance.now());
  await pause(latencyMs);
});
await db.destroy();
process.send?.({ departures } satisfies Departures);
process.disconnect();
