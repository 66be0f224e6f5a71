// Prints which tests were skipped, then "N passed, N failed", all from vitest's own results. A file that could not be run counts as one
// failure.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const file = new URL('../node_modules/.tmp/vitest.json', import.meta.url);
let results;
try {
  results = JSON.parse(readFileSync(file, 'utf8'));
} catch {
  console.log('The tests did not run: there are no Vitest results.');
  console.log('0 passed, 1 failed');
  process.exit(1);
}
for (const { name, assertionResults } of results.testResults)
  for (const { status, fullName } of assertionResults)
    if (status === 'skipped' || status === 'pending')
      console.log(`Skipped: ${relative(process.cwd(), name)} > ${fullName}`);
const broken = results.testResults.filter(
  (one) => one.status === 'failed' && one.assertionResults.every((test) => test.status !== 'failed'),
);
const failed = results.numFailedTests + broken.length;
console.log(`${results.numPassedTests} passed, ${failed} failed`);
process.exit(failed === 0 && results.success ? 0 : 1);
