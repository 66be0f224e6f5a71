import { rmSync } from 'node:fs';
import { tool } from '../set-up/tool.mjs';

/** Where vitest leaves the results of a run. */
export const resultsOf = (run) => `node_modules/.tmp/vitest-${run}.json`;

/** Forgets the results of earlier runs of that name, so that a run that never began is not taken for one that went well. */
export const forgetResults = (run) => rmSync(new URL(`../../${resultsOf(run)}`, import.meta.url), { force: true });

/** Runs the tests of some of vitest's projects. Returns the exit code. */
export function runTests(run, projects) {
  return tool('node_modules/vitest/vitest.mjs', [
    'run',
    '--reporter=./test/runner/progress-reporter.ts',
    '--reporter=json',
    `--outputFile.json=${resultsOf(run)}`,
    ...projects.flatMap((project) => ['--project', project]),
  ]);
}
