// `npm run check`: everything that can be said without running a test, in seconds.
import { ready } from './set-up/ready.mjs';

await ready(async () => {
  const { runSteps } = await import('./set-up/run-steps.mjs');
  const { staticChecks } = await import('./checks/static-checks.mjs');
  const { tool } = await import('./set-up/tool.mjs');
  const generated = ['generated', (quiet) => tool('scripts/db-types.mjs', ['--check'], quiet)];
  process.exitCode = await runSteps([[...staticChecks, generated]]);
});
