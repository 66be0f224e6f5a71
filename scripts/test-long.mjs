// `npm run test:long`: what takes minutes by nature. test/README.md says what that is.
import { ready } from './ready.mjs';

await ready(async () => {
  const { ensureChromium } = await import('./chromium.mjs');
  const { offerPgBouncer, tellWithoutPgBouncer } = await import('./pgbouncer.mjs');
  const { forgetResults, runTests } = await import('./run-tests.mjs');
  const { runSteps } = await import('./steps.mjs');
  forgetResults('long');
  ensureChromium();
  offerPgBouncer();
  process.exitCode = await runSteps([['long tests', () => runTests('long', ['separate', 'long'])]]);
  tellWithoutPgBouncer();
});
