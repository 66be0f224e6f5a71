// Runs a tool from node_modules on the Node that runs this script.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Its exit code, after it has ended. `script` is a path under node_modules. */
export function tool(script, args, env = {}) {
  const done = spawnSync(process.execPath, [join('node_modules', script), ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return done.status ?? 1;
}
