import { existsSync, globSync, statSync } from 'node:fs';
import { tool } from './set-up/tool.mjs';

const page = 'web/dist/index.html';
const sources = [
  ...['web/src/**/*', 'web/public/**/*', 'web/build/**/*', 'web/*.*'],
  ...['contract/**/*', 'package-lock.json', 'vite.config.ts'],
];

/** Builds the browser app unless the last build is newer than all it was made from. Ends the process if that fails. */
export async function buildIfStale() {
  if (!isStale()) return;
  console.error('Building the browser app…');
  const code = await tool('node_modules/vite/bin/vite.js', ['build', '--logLevel=warn']);
  if (code !== 0) process.exit(code);
}

function isStale() {
  if (!existsSync(page)) return true;
  const built = statSync(page).mtimeMs;
  return globSync(sources).some((file) => statSync(file).mtimeMs > built);
}
