import { spawnSync } from 'node:child_process';

/** Runs a script, named from the project's folder, on the Node that runs this one. Returns its exit code once it has ended. */
export function tool(script, args) {
  return spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' }).status ?? 1;
}
