import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { pause } from '#server/lib/pause.ts';
import type { Pace } from '#websites/pace.ts';

/** Longer than any request takes, with the look-up of its name before. After it, the turn of a process that died is free. */
const HOLDS_MS = 30_000;
/** A turn may be given back sooner than it had to be. */
const LOOK_AGAIN_MS = 500;

/** Those who wait in this process, by host: only the first of them asks the database. */
export type Lanes = Map<string, Promise<unknown>>;

/** The pace of all processes on one database. `kind`: what keeps hosts of the sandbox apart from real ones. */
export function hostPace(db: Db, lanes: Lanes, kind: string): Pace {
  return async (host, gapMs, request, signal) => {
    const key = `${kind}:${host}`;
    const inTurn = async () => {
      await takeTurn(db, key, signal);
      try {
        return await request();
      } finally {
        await sql`select app.end_website_turn(${key}, ${Math.round(gapMs)}::integer)`.execute(db);
      }
    };
    const before = lanes.get(key) ?? Promise.resolve();
    const own = before.then(inTurn, inTurn);
    lanes.set(key, own);
    try {
      return await own;
    } finally {
      if (lanes.get(key) === own) lanes.delete(key);
    }
  };
}

async function takeTurn(db: Db, key: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await sql<{ ms: number }>`
      select app.take_website_turn(${key}, ${HOLDS_MS}::integer) as ms
    `.execute(db);
    const ms = rows[0]?.ms ?? LOOK_AGAIN_MS;
    if (ms === 0) return;
    await pause(Math.min(Math.ceil(ms), LOOK_AGAIN_MS), signal);
  }
}
