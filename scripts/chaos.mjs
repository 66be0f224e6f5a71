// `npm run test:chaos`: kills, races and second presses, as many as were promised; `npm test` has a little of each.
// `-- --kills 20` kills less often; CHAOS_SEED=… makes the choices of an earlier run again.
import { parseArgs } from 'node:util';
import { ready } from './ready.mjs';

await ready(async () => {
  const { runSteps } = await import('./steps.mjs');
  const { tool } = await import('./tool.mjs');
  const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' } }, allowPositionals: false });
  if (!/^[1-9]\d{0,4}$/.test(values.kills)) {
    console.error('--kills must be a whole number from 1 to 99999.');
    process.exit(1);
  }
  process.env.CHAOS_KILLS = values.kills;
  const vitest = ['run', '--project', 'server', '--no-file-parallelism', '--reporter', 'verbose', 'test/chaos/'];
  process.exitCode = await runSteps([['chaos', () => tool('node_modules/vitest/vitest.mjs', vitest)]]);
});
