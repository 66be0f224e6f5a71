// `npm run check`: everything that can be said without running a test, in seconds.
import { ready } from './ready.mjs';

await ready(async () => {
  const { runSteps } = await import('./steps.mjs');
  const { staticChecks } = await import('./static-checks.mjs');
  const { tool } = await import('./tool.mjs');
  const generated = ['generated', () => tool('scripts/db-types.mjs', ['--check'])];
  process.exitCode = await runSteps([...staticChecks, generated]);
});
