// The browser of the end-to-end tests: the installed one, else Debian's when we are root, else the command to type.
import { spawnSync } from 'node:child_process';
import { findChromium } from '../test/chromium.ts';

/** Ends the process when there is none and none can be installed. */
export function ensureChromium() {
  if (findChromium()) return;
  const canInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (canInstall) {
    console.error('There is no Chromium: installing it (apt-get install chromium)…');
    const script = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null';
    spawnSync('sh', ['-c', script], {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (findChromium()) return;
  }
  console.error(
    'The end-to-end tests need Chromium or Chrome. Type:\n\n' +
      '  sudo apt-get update && sudo apt-get install -y chromium\n\n' +
      'or install one in another way and name it: CHROMIUM_PATH=/path/to/chrome npm test',
  );
  process.exit(1);
}
