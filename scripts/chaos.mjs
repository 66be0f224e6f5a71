// `npm run test:chaos`: kills, races and second presses, as many as were promised. `npm run test:long` has a little of each.
// `-- --kills 20 --size 10000` kills less often, and in larger lists; CHAOS_SEED=… makes the choices of an earlier run again.
import { parseArgs } from 'node:util';
import { ready } from './set-up/ready.mjs';

await ready(async () => {
  const { runSteps } = await import('./set-up/run-steps.mjs');
  const { tool } = await import('./set-up/tool.mjs');
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '200' }, size: { type: 'string', default: '1000' } },
    allowPositionals: false,
  });
  for (const [name, value] of Object.entries(values)) {
    if (!/^[1-9]\d{0,4}$/.test(value)) {
      console.error(`--${name} must be a whole number from 1 to 99999.`);
      process.exit(1);
    }
    process.env[`CHAOS_${name.toUpperCase()}`] = value;
  }
  const vitest = [
    ...['run', '--project', 'server', '--project', 'long', '--no-file-parallelism'],
    ...['--reporter', 'verbose', 'test/chaos/'],
  ];
  process.exitCode = await runSteps([['chaos', () => tool('node_modules/vitest/vitest.mjs', vitest)]]);
});
