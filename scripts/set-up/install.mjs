// As ready.mjs: no packages, and nothing newer than Node 20.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { sameFile } from './same-file.mjs';

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Compares contents, not times. npm writes node_modules/.package-lock.json last, so an interrupted install counts as none. */
export function isInstalled() {
  try {
    const have = read('node_modules/.package-lock.json').packages;
    return Object.entries(read('package-lock.json').packages).every(
      ([path, { version, optional, link }]) =>
        !path || link || (have[path] ? have[path].version === version : optional),
    );
  } catch {
    return false;
  }
}

/** Runs `npm ci`; ends the process if it fails. `bin` is taken off PATH, so that npm does not run on the Node that it replaces. */
export function install({ bin, projectNode }) {
  console.error('Installing packages (npm ci). The first time takes a minute…');
  const path = process.env.PATH.split(delimiter).filter((entry) => entry !== bin);
  const args = ['ci', '--loglevel=error', '--no-audit', '--no-fund', '--include=dev', '--include=optional'];
  const [file, ...first] = npm(projectNode);
  const done = spawnSync(file, [...first, ...args], {
    env: { ...process.env, PATH: path.join(delimiter) },
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32' && file === 'npm',
  });
  if (done.status === 0) return;
  console.error(
    done.error
      ? `npm cannot be run: ${done.error.message}`
      : 'npm ci failed. Its output is above. Nothing was started.',
  );
  process.exit(done.status || 1);
}

/** The npm that called us, on the Node that it runs on; else the one on PATH. */
function npm(projectNode) {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  return script?.endsWith('npm-cli.js') && node && !sameFile(node, projectNode) ? [node, script] : ['npm'];
}
