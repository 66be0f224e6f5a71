import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const allowed = [
  ['web/src/a.ts', "import { z } from '#contract/work/lists.ts'; console.log(z);"],
  ['web/src/b.ts', "import { z } from './cn.ts'; import { y } from '#web/lib/x.ts'; console.log(z, y);"],
  ['web/src/features/a/c.ts', "import { z } from './x.ts'; import { y } from '#web/ui/button.tsx'; console.log(z, y);"],
  ['web/src/features/access/a/c.ts', "import { z } from '#web/features/access/b/x.ts'; console.log(z);"],
  ['contract/a.ts', "import { m } from 'zod/mini'; import { y } from './x.ts'; console.log(m, y);"],
  ['sandbox/a.ts', "import { z } from 'node:http'; import { y } from './server.ts'; console.log(z, y);"],
  ['providers/google/a.ts', "import { z } from '#providers/provider.ts'; console.log(z);"],
  ['jobs/a.ts', "import { z } from '#db/connection/client.ts'; console.log(z);"],
  ['backend/a.ts', "import { z } from '#db/connection/client.ts'; console.log(z);"],
  [
    'server/a.ts',
    "import { z } from '#providers/p.ts'; import { y } from '#jobs/q.ts'; import { q } from '#contract/l.ts'; console.log(z, y, q);",
  ],
  ['server/footing/own.ts', "import { z } from '#backend/backend.ts'; console.log(z);"],
  ['server/wiring/a.ts', "import { z } from '#server/features/exports/routes.ts'; console.log(z);"],
  ['server/wiring/start-sandbox.ts', "import { z } from '#sandbox/a.ts'; console.log(z);"],
  ['server/operations/rotate-signing-key.ts', "import { z } from '#backend/backend.ts'; console.log(z);"],
  [
    'server/features/a/a.ts',
    "import { z } from '#server/http/route.ts'; import { y } from './x.ts'; console.log(z, y);",
  ],
  [
    'server/features/a/a.test.ts',
    "import { z } from '#server/features/b/x.ts'; import { y } from '#sandbox/a.ts'; console.log(z, y);",
  ],
  ['test/a.ts', "import { z } from '#web/a.ts'; import { y } from '#db/connection/client.ts'; console.log(z, y);"],
] as const;

const refused = [
  ['server/runs/r0.ts', "import type { z } from '#server/features/exports/routes.ts'; export type Y = z;"],
  ['server/paid-calls/ledger/r.ts', "import type { z } from '#server/runs/run-lease.ts'; export type Y = z;"],
  ['web/src/r1.ts', "import { z } from '#server/app.ts'; console.log(z);"],
  ['web/src/r2.ts', "import type { z } from '#db/connection/client.ts'; export type Y = z;"],
  ['web/src/r3.ts', "export { z } from '#db/connection/client.ts';"],
  ['web/src/r4.ts', "export * from '#jobs/queue.ts';"],
  ['web/src/r5.ts', "console.log(await import('#server/app.ts'));"],
  ['web/src/r6.ts', "import { z } from '../../server/app.ts'; console.log(z);"],
  ['web/src/r7.ts', "import fs from 'node:fs'; console.log(fs);"],
  ['web/src/r8.ts', "import pg from 'pg'; console.log(pg);"],
  ['web/src/features/a/r9.ts', "import { z } from '#web/features/b/x.ts'; console.log(z);"],
  ['web/src/features/access/a/r10.ts', "import { z } from '#web/features/leads/x.ts'; console.log(z);"],
  ['web/src/features/leads/r11.ts', "import { z } from '#web/features/access/a/x.ts'; console.log(z);"],
  ['contract/r1.ts', "import { z } from '#db/connection/client.ts'; console.log(z);"],
  ['contract/r2.ts', "import { z } from 'kysely'; console.log(z);"],
  ['contract/r3.ts', "import { z } from 'node:fs'; console.log(z);"],
  ['contract/r4.ts', "import { z } from '#db/connection/client.ts'; console.log(z);"],
  ['sandbox/r1.ts', "import { z } from '#contract/work/lists.ts'; console.log(z);"],
  ['providers/r1.ts', "import { z } from '#db/connection/client.ts'; console.log(z);"],
  ['providers/r2.ts', "import { z } from '#server/app.ts'; console.log(z);"],
  ['providers/google/r3.ts', "import { z } from '../provider.ts'; console.log(z);"],
  ['jobs/r1.ts', "import { z } from '#server/app.ts'; console.log(z);"],
  ['jobs/r2.ts', "import { z } from '#providers/provider.ts'; console.log(z);"],
  ['db/r1.ts', "import { z } from '#jobs/queue.ts'; console.log(z);"],
  ['backend/r1.ts', "import { z } from '#server/app.ts'; console.log(z);"],
  ['server/r1.ts', "import { z } from '#web/cn.ts'; console.log(z);"],
  ['server/r2.ts', "import { z } from '#backend/auth/a.ts'; console.log(z);"],
  ['server/r3.ts', "import { z } from '#sandbox/a.ts'; console.log(z);"],
  ['server/operations/r10.ts', "import { z } from '#backend/a.ts'; console.log(z);"],
  ['server/footing/own.ts', "import { z } from '#backend/auth/a.ts'; console.log(z);"],
  ['server/main.ts', "import { z } from '#backend/a.ts'; console.log(z);"],
  ['server/footing/hosted.ts', "import { z } from '#backend/a.ts'; console.log(z);"],
  ['server/r4.ts', "import { z } from '/absolute/web/src/cn.ts'; console.log(z);"],
  ['server/r5.ts', "import { z } from './../web/src/cn.ts'; console.log(z);"],
  ['server/features/a/r6.ts', "import { z } from '#server/features/b/x.ts'; console.log(z);"],
  ['server/features/a/r7.ts', "import { z } from '../b/x.ts'; console.log(z);"],
] as const;

test('Biome refuses imports against the directions of the rooms, and only those', () => {
  const tree = mkdtempSync(join(tmpdir(), 'fairlead-directions-'));
  try {
    cpSync('biome.json', join(tree, 'biome.json'));
    cpSync('.gitignore', join(tree, '.gitignore'));
    for (const [file, text] of [...allowed, ...refused]) {
      mkdirSync(join(tree, dirname(file)), { recursive: true });
      writeFileSync(join(tree, file), `${text}\n`);
    }
    const biome = join(process.cwd(), 'node_modules/@biomejs/biome/bin/biome');
    const args = ['lint', '--max-diagnostics=none', '--reporter=json', '.'];
    const { stdout } = spawnSync(process.execPath, [biome, ...args], { cwd: tree, encoding: 'utf8' });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: string } }[] };
    const found = new Set(
      diagnostics
        .filter(({ category }) => category === 'lint/style/noRestrictedImports')
        .map(({ location }) => location.path.replace(/^\.\//, '')),
    );
    expect([...found].sort()).toEqual(refused.map(([file]) => file).sort());
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
});
