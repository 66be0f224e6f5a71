import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

const LASTS_MS = 10_000;

/** At most one of all processes on a database has it. */
export type LiveLease = {
  /** Whether this process has it now. */
  held(): boolean;
  /**
   * Takes or renews it, if no other process has it. Returns until when everything has been told, or undefined without the lease.
   * `told`: so far, the holder has told everything.
   */
  renew(options: { told: boolean }): Promise<Date | undefined>;
  /** Lets another process have it at once. */
  release(): Promise<void>;
};

export function createLiveLease(db: Db): LiveLease {
  const holder = randomUUID();
  let until = 0;
  const held = () => performance.now() < until;
  return {
    held,
    async renew({ told }) {
      const asked = performance.now();
      const lasts = sql`clock_timestamp() + ${LASTS_MS} * interval '1 millisecond'`;
      const { rows } = await sql<{ told_at: Date }>`
        insert into app.live_lease as lease (holder, alive_until) values (${holder}, ${lasts})
        on conflict (singleton) do update set
          holder = excluded.holder,
          alive_until = excluded.alive_until,
          told_at = case when ${told && held()} then clock_timestamp() else lease.told_at end
        where lease.holder = excluded.holder or lease.alive_until < clock_timestamp()
        returning told_at`.execute(db);
      until = rows[0] ? asked + LASTS_MS : 0;
      return rows[0]?.told_at;
    },
    async release() {
      until = 0;
      await sql`update app.live_lease set alive_until = clock_timestamp() where holder = ${holder}`.execute(db);
    },
  };
}
