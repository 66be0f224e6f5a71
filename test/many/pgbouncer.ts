import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#db/embedded/free-port.ts';
import { chooseOwner } from '#db/embedded/owner.ts';
import { temporaryFolder } from '#test/postgres.ts';

/** Whether this machine has PgBouncer (`apt-get install pgbouncer`). Nothing that we ship needs it. */
export const hasPgBouncer = spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status === 0;

/** PgBouncer in transaction mode before a database, with so few connections that clients have to share them. */
export type PgBouncer = { url: string; stop(): Promise<void> };

/** `url`: the database, with the one login that may come through. */
export async function startPgBouncer(url: string, connections = 5): Promise<PgBouncer> {
  const { hostname, port, pathname, username, password } = new URL(url);
  const own = new URL(url);
  own.hostname = '127.0.0.1';
  own.port = String(await freePort());
  const folder = temporaryFolder();
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const logins = file('logins', `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  const config = file(
    'pgbouncer.ini',
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own.port}
unix_socket_dir =
auth_type = trust
auth_file = ${logins}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
`,
  );
  const child = spawn('pgbouncer', [config], { stdio: ['ignore', 'ignore', 'pipe'], ...chooseOwner(folder) });
  const ended = once(child, 'close');
  let log = '';
  const up = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('process up')) resolve();
    });
  });
  await Promise.race([up, ended.then(() => Promise.reject(new Error(`PgBouncer ended:\n${log}`)))]);
  return {
    url: own.href,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
