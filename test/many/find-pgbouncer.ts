import { spawnSync } from 'node:child_process';

/** How this machine's PgBouncer is called (`apt-get install pgbouncer`); undefined where there is none. Nothing that we ship needs it. */
export const findPgBouncer = (): string | undefined =>
  // Debian has it where ordinary users do not look.
  ['pgbouncer', '/usr/sbin/pgbouncer'].find((file) => spawnSync(file, ['--version'], { stdio: 'ignore' }).status === 0);
