// `npm test`: sets up what is missing, then every check and every test. Vitest's results are also left in node_modules/.tmp.
import { rmSync } from 'node:fs';
import { ready } from './ready.mjs';

const results = 'node_modules/.tmp/vitest.json';
rmSync(new URL(`../${results}`, import.meta.url), { force: true });

await ready(async () => {
  const { ensureChromium } = await import('./chromium.mjs');
  const { offerPgBouncer, tellWithoutPgBouncer } = await import('./pgbouncer.mjs');
  const { runSteps } = await import('./steps.mjs');
  const { staticChecks } = await import('./static-checks.mjs');
  const { tool } = await import('./tool.mjs');
  ensureChromium();
  offerPgBouncer();
  process.exitCode = await runSteps([
    ...staticChecks,
    ['build', () => tool('node_modules/vite/bin/vite.js', ['build', '--logLevel=warn'])],
    ['size', () => tool('node_modules/size-limit/bin.js', [])],
    [
      'tests',
      () =>
        tool('node_modules/vitest/vitest.mjs', [
          'run',
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${results}`,
        ]),
    ],
  ]);
  tellWithoutPgBouncer();
});
