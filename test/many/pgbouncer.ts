import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#db/embedded/free-port.ts';
import { chooseOwner } from '#db/embedded/owner.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { findPgBouncer } from './find-pgbouncer.ts';

/** PgBouncer in transaction mode before a PostgreSQL. `through`: the way to a database there for one of its logins. */
export type PgBouncer = { through(login: URL): string; stop(): Promise<void> };

/** Lets `logins` through, each with so few connections that its clients have to share them. */
export async function startPgBouncer(logins: readonly [URL, ...URL[]], connections = 5): Promise<PgBouncer> {
  const [{ hostname, port }] = logins;
  const ownPort = String(await freePort());
  const folder = temporaryFolder();
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const quoted = (text: string) => `"${decodeURIComponent(text)}"`;
  const known = logins.map(({ username, password }) => `${quoted(username)} ${quoted(password)}\n`);
  const config = file(
    'pgbouncer.ini',
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = trust
auth_file = ${file('logins', known.join(''))}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
`,
  );
  const child = spawn(findPgBouncer() ?? 'pgbouncer', [config], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...chooseOwner(folder),
  });
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
    through(login) {
      const url = new URL(login);
      url.hostname = '127.0.0.1';
      url.port = ownPort;
      return url.href;
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
