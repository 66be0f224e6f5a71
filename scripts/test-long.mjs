// `npm run test:long`: what takes minutes by nature. test/README.md says what that is.
import { ready } from './set-up/ready.mjs';

await ready(async () => {
  const { ensureChromium } = await import('./set-up/chromium.mjs');
  const { offerPgBouncer, tellWithoutPgBouncer } = await import('./set-up/pgbouncer.mjs');
  const { forgetResults, runTests } = await import('./checks/run-tests.mjs');
  const { runSteps } = await import('./set-up/run-steps.mjs');
  forgetResults('long');
  ensureChromium();
  offerPgBouncer();
  process.exitCode = await runSteps([['long tests', () => runTests('long', ['separate', 'long-pages', 'long'])]]);
  tellWithoutPgBouncer();
});
