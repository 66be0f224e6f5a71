// `npm run bench`: each bench/*/*.bench.ts in a process of its own. Name some to run only those: npm run bench -- search
import { ready } from './set-up/ready.mjs';

await ready(async () => {
  const { globSync } = await import('node:fs');
  const { basename } = await import('node:path');
  const { buildIfStale } = await import('./build.mjs');
  const { runSteps } = await import('./set-up/run-steps.mjs');
  const { tool } = await import('./set-up/tool.mjs');
  const wanted = process.argv.slice(2);
  const files = globSync('bench/*/*.bench.ts')
    .map((path) => ({ path, name: basename(path, '.bench.ts') }))
    .sort((one, other) => one.name.localeCompare(other.name))
    .filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  if (files.length === 0) {
    console.error(
      wanted.length ? `No benchmark is named like ${wanted.join(', ')}.` : 'There is no bench/*/*.bench.ts.',
    );
    process.exit(1);
  }
  await buildIfStale();
  process.exitCode = await runSteps(files.map(({ path, name }) => [name, () => tool(path, [])]));
});
