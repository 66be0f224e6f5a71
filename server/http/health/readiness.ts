import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Deps } from '#server/deps.ts';

const DEADLINE_MS = 2_000;
/** However often it is asked, the database is asked once in this time. */
const FRESH_MS = 500;

/** Whether each part could be reached within the deadline. */
export type Readiness = { database: boolean; queue: boolean };

export function createReadiness({ db, queue }: Pick<Deps, 'db' | 'queue'>): () => Promise<Readiness> {
  let last: { answer: Promise<Readiness>; since: number } | undefined;
  const look = async (): Promise<Readiness> => {
    const [database, reached] = await Promise.all([inTime(sql`select 1`.execute(db)), inTime(queue.check())]);
    return { database, queue: reached };
  };
  return () => {
    if (!last || performance.now() - last.since > FRESH_MS) last = { answer: look(), since: performance.now() };
    return last.answer;
  };
}

const inTime = (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    work.then(
      () => true,
      () => false,
    ),
    sleep(DEADLINE_MS, false, { ref: false }),
  ]);
