import { PgBoss } from 'pg-boss';
import { MIGRATION_LOCK } from '#db/migrations/migration-lock.ts';
import { SERVER_ROLES } from '#db/roles/server-role.ts';
import { runWaits, SCHEMA } from './definitions.ts';

/** Makes the queue's own schema, or brings it up to date, and lets the server's roles use it. For the owner of the database. */
export async function installQueue(connectionString: string): Promise<void> {
  const boss = new PgBoss({ connectionString, schema: SCHEMA, max: 1, schedule: false, supervise: false });
  boss.on('error', () => {}); // what is asked here rejects as well
  await boss.start();
  try {
    await boss.createQueue(runWaits.name, {
      // At most one announcement of a run waits at a time.
      policy: 'short',
      notify: true,
      // A lost announcement is repeated by the watchdog, which knows whether the run still waits.
      retryLimit: 0,
      deleteAfterSeconds: 3_600,
    });
    const roles = Object.values(SERVER_ROLES).join(', ');
    await boss.getDb().executeSql(`
      select pg_advisory_xact_lock(${MIGRATION_LOCK});
      grant usage on schema ${SCHEMA} to ${roles};
      grant select, insert, update, delete on all tables in schema ${SCHEMA} to ${roles}`);
  } finally {
    await boss.stop({ graceful: false });
  }
}
