import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePort } from '#db/embedded/free-port.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { report } from '../harness/report.ts';
import { timed } from '../harness/statistics.ts';
import { waitUntilHealthy } from '../harness/wait-until-healthy.ts';

/** A newcomer's two steps on what is committed: clone, and `npm start` on the machine's own Node. Packages may come from npm's cache. */
const folder = temporaryFolder();
const clone = join(folder, 'fairlead');
const port = await freePort();
try {
  const ms = await timed(async () => {
    execFileSync('git', ['clone', '--quiet', process.cwd(), clone]);
    const server = spawn('npm', ['start'], {
      cwd: clone,
      env: newcomersEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(server, 'exit');
    try {
      await waitUntilHealthy(`http://127.0.0.1:${port}`, server);
    } finally {
      server.kill();
      await ended;
    }
  });
  report([{ name: 'git clone and npm start to /healthz', value: ms / 1_000, unit: 's', limit: ['≤', 120] }]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Without what npm and the project's own Node have added to ours. */
function newcomersEnvironment(): NodeJS.ProcessEnv {
  const own = join(process.cwd(), 'node_modules');
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|NODE$|INIT_CWD$)/.test(name));
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.startsWith(own));
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(delimiter),
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
  };
}
