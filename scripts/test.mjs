// `npm test`: sets up what is missing, then every check, and the tests of all that a change is likely to break.
import { ready } from './set-up/ready.mjs';

await ready(async () => {
  const { ensureChromium } = await import('./set-up/chromium.mjs');
  const { forgetResults, runTests } = await import('./checks/run-tests.mjs');
  const { runSteps } = await import('./set-up/run-steps.mjs');
  const { staticChecks } = await import('./checks/static-checks.mjs');
  const { tool } = await import('./set-up/tool.mjs');
  forgetResults('test');
  ensureChromium();
  process.exitCode = await runSteps([
    [...staticChecks, ['build', (quiet) => tool('node_modules/vite/bin/vite.js', ['build', '--logLevel=warn'], quiet)]],
    ['size', () => tool('node_modules/size-limit/bin.js', [])],
    ['tests', () => runTests('test', ['logic', 'web', 'server', 'attack', 'e2e'])],
  ]);
});
