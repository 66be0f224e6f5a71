// Prints which tests were skipped, then "N passed, N failed": the sum of `npm test` and `npm run test:long`, from vitest's own results.
// A file that could not be run counts as one failure, and so does a run that left no results.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { resultsOf } from './run-tests.mjs';

const total = { passed: 0, failed: 0 };
for (const run of ['test', 'long']) {
  const results = read(run);
  if (!results) {
    console.log(
      `The tests did not run: there are no Vitest results of ${run === 'long' ? 'npm run test:long' : 'npm test'}.`,
    );
    total.failed += 1;
    continue;
  }
  for (const { name, assertionResults } of results.testResults)
    for (const { status, fullName } of assertionResults)
      if (status === 'skipped' || status === 'pending')
        console.log(`Skipped: ${relative(process.cwd(), name)} > ${fullName}`);
  const broken = results.testResults.filter(
    (one) => one.status === 'failed' && one.assertionResults.every((test) => test.status !== 'failed'),
  );
  const failed = results.numFailedTests + broken.length;
  total.passed += results.numPassedTests;
  // An error outside every test fails a run too.
  total.failed += failed === 0 && !results.success ? 1 : failed;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

function read(run) {
  try {
    return JSON.parse(readFileSync(new URL(`../../${resultsOf(run)}`, import.meta.url), 'utf8'));
  } catch {
    return undefined;
  }
}
