// Runs on the machine's own Node (20.19 or newer) before anything is installed: no packages, and nothing newer than Node 20.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, isInstalled } from './install.mjs';
import { sameFile } from './same-file.mjs';

const NEEDED_MAJOR = 24;
const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const bin = join(root, 'node_modules', '.bin');
const projectNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Calls `work` once everything is installed and this process runs on the project's Node, in the project's folder. */
export async function ready(work) {
  process.chdir(root);
  if (!isInstalled()) install({ bin, projectNode });
  process.env.PATH = [bin, process.env.PATH].join(delimiter);
  if (sameFile(process.execPath, projectNode)) return work();
  if (existsSync(projectNode)) return continueOn(projectNode);
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return work();
  console.error(
    `Node ${NEEDED_MAJOR} is missing from node_modules/node: was its install script switched off (ignore-scripts)?\n` +
      'Type: npm rebuild node --ignore-scripts=false',
  );
  process.exit(1);
}

function continueOn(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
