// Writes biome.json from one table: which room may import which. `--check` only compares.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const rooms = {
  area: [],
  calling: ['area'],
  contract: [],
  web: ['contract'],
  sandbox: [],
  providers: [],
  db: [],
  websites: [],
  jobs: ['db'],
  backend: ['db'],
  server: ['area', 'calling', 'contract', 'providers', 'jobs', 'db', 'websites'],
};
const folderOf = (room) => (room === 'web' ? 'web/src' : room);
const list = (names) => names.map((name) => `#${name}`).join(', ');

const noWayUp = {
  group: ['../**', '**/../**', '/**'],
  message:
    'Write #room/path.ts instead of a path upwards: the specifier then names the room, and the direction can be checked.',
};
const browserOnly = {
  group: ['node:*', 'pg', 'kysely', 'pg-boss', 'hono', 'hono/**', '@hono/**', 'pino', 'nodemailer', 'jose', 'tldts'],
  message: 'web runs in a browser.',
};

function patternsOf(room, extra = []) {
  const allowed = [room, ...rooms[room], ...extra];
  const patterns = [noWayUp];
  if (room === 'contract')
    patterns.push({
      group: ['**', '!./**', '!zod', '!zod/**', '!#contract/**'],
      message: 'contract imports only zod.',
    });
  else
    patterns.push({
      group: ['#*/**', ...allowed.map((name) => `!#${name}/**`)],
      message: `${room} may import only ${list(allowed)}.`,
    });
  if (room === 'web') patterns.push(browserOnly);
  return patterns;
}

const override = (includes, patterns) => ({
  includes,
  linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns } } } } },
});

const overrides = Object.keys(rooms).map((room) => override([`${folderOf(room)}/**`], patternsOf(room)));
/** Features that have rooms. The rooms of one feature may import each other. */
const featuresWithRooms = {
  web: ['access', 'calls', 'leads', 'search'],
  server: ['enrichment', 'imports', 'search', 'suppressions'],
};
/** Rooms of one feature that another may import: the list of those left alone reads files of people as imports do. */
const roomsLent = {
  suppressions: ['imports/guess', 'imports/open', 'imports/read', 'imports/values'],
};
const featuresApart = (room, own = []) => ({
  group: [`#${room}/features/**`, ...own.map((feature) => `!#${room}/features/${feature}/**`)],
  message: 'Features never import features.',
});
for (const room of ['server', 'web']) {
  const folder = `${folderOf(room)}/features`;
  overrides.push(override([`${folder}/**`], [...patternsOf(room), featuresApart(room)]));
  for (const feature of featuresWithRooms[room])
    overrides.push(
      override(
        [`${folder}/${feature}/**`],
        [...patternsOf(room), featuresApart(room, [feature, ...(room === 'server' ? (roomsLent[feature] ?? []) : [])])],
      ),
    );
}
/** What requests and workers share knows no feature; only what puts the parts together does. */
const belowFeatures = { group: ['#server/features/**', './features/**'], message: 'Shared rooms know no feature.' };
overrides.push(
  override(
    ['server/**', '!server/{features,wiring}/**', '!server/{app,main}.ts'],
    [...patternsOf('server'), belowFeatures],
  ),
);
const belowRuns = { group: ['#server/runs/**'], message: 'Runs pay for calls; paying knows no runs.' };
overrides.push(override(['server/paid-calls/**'], [...patternsOf('server'), belowFeatures, belowRuns]));
const oneDoor = {
  group: ['#backend/**', '!#backend/backend.ts'],
  message: 'The backend has one door: #backend/backend.ts.',
};
for (const file of ['server/footing/own.ts', 'server/operations/rotate-signing-key.ts'])
  overrides.push(override([file], [...patternsOf('server', ['backend']), belowFeatures, oneDoor]));
overrides.push(override(['server/wiring/start-sandbox.ts'], patternsOf('server', ['sandbox'])));
overrides.push({
  includes: ['**/*.test.*', 'test/**', 'bench/**', 'scripts/**'],
  linter: { rules: { style: { noRestrictedImports: 'off' } } },
});
// Biome always looks at its own configuration, whatever `files` says; this script is what writes it.
overrides.push({ includes: ['biome.json'], formatter: { enabled: false } });

const config = {
  $schema: './node_modules/@biomejs/biome/configuration_schema.json',
  vcs: { enabled: true, clientKind: 'git', useIgnoreFile: true },
  files: { includes: ['**', '!**/*.gen.ts', '!package-lock.json'] },
  formatter: { indentStyle: 'space', indentWidth: 2, lineWidth: 120 },
  javascript: { formatter: { quoteStyle: 'single' } },
  css: { parser: { tailwindDirectives: true } },
  linter: {
    domains: { react: 'recommended', test: 'recommended' },
    rules: {
      preset: 'recommended',
      style: { noNonNullAssertion: 'error', useImportType: 'error' },
      suspicious: { noImportCycles: { level: 'error', options: { ignoreTypes: false } }, noExplicitAny: 'error' },
      nursery: { noFloatingPromises: 'error', noMisusedPromises: 'error' },
    },
  },
  overrides,
};
const text = `${JSON.stringify(config, null, 2)}\n`;

if (process.argv.includes('--check')) {
  if (!existsSync('biome.json') || readFileSync('biome.json', 'utf8') !== text) {
    console.error(
      'biome.json differs from what scripts/checks/biome-config.mjs writes. Run: node scripts/checks/biome-config.mjs',
    );
    process.exit(1);
  }
} else writeFileSync('biome.json', text);
