import { globSync, readFileSync } from 'node:fs';

/** What the browser loads before it can show anything: the scripts and preloads that the built page names. */
const page = readFileSync('web/dist/index.html', 'utf8');
const initial = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file]) => `web/dist/${file}`);
if (initial.length === 0) throw new Error('web/dist/index.html names no script: build it first.');

/** What a route loads on its own: files that hold pages. Those of the first page are judged above. */
const pages = globSync(
  'web/dist/assets/{login,shell,list,settings,account,usage,users,training,audit,terms,privacy,data-sources}-*.js',
);

export default [
  { name: 'First JavaScript', path: initial, limit: '128 kB', gzip: true },
  // The frame holds the dashboard too: one file is one round trip. A list comes beside it.
  ...pages.map((path) => ({
    name: path.replace(/^.*assets\//, ''),
    path,
    limit: /\/shell-/.test(path) ? '39 kB' : /\/list-[^d]/.test(path) ? '23 kB' : '32 kB',
    gzip: true,
  })),
  // Fetched with the first map, and by no page before it.
  { name: 'The map', path: globSync('web/dist/assets/map-view-*.js'), limit: '110 kB', gzip: true },
  { name: 'CSS', path: globSync('web/dist/assets/*.css'), limit: '15 kB', gzip: true },
];
