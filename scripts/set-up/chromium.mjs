// The browser of the end-to-end tests: the installed one, else Debian's when we are root, else the command to type.
import { findChromium } from '#test/servers/chromium.ts';
import { installDebianPackage } from './debian-package.mjs';

/** Ends the process when there is none and none can be installed. */
export function ensureChromium() {
  if (findChromium()) return;
  for (const name of ['chromium-headless-shell', 'chromium']) {
    installDebianPackage(name);
    if (findChromium()) return;
  }
  console.error(
    'The end-to-end tests need Chromium or Chrome. Type:\n\n' +
      '  sudo apt-get update && sudo apt-get install -y chromium\n\n' +
      'or install one another way and name it: CHROMIUM_PATH=/path/to/chrome npm test',
  );
  process.exit(1);
}
