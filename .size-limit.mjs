import { globSync, readFileSync } from 'node:fs';

/** What the browser loads before it can show anything: the scripts and preloads that the built page names. */
const page = readFileSync('web/dist/index.html', 'utf8');
const initial = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file]) => `web/dist/${file}`);
if (initial.length === 0) throw new Error('web/dist/index.html names no script: build it first.');

export default [
  { name: 'First JavaScript', path: initial, limit: '190 kB', gzip: true },
  { name: 'CSS', path: globSync('web/dist/assets/*.css'), limit: '15 kB', gzip: true },
];
