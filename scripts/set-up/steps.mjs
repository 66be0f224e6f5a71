/**
 * Runs every step, also after one has failed, prints a summary, and answers the exit code. A step is a name and a
 * function that answers an exit code, or a promise of one.
 */
export async function runSteps(steps) {
  const results = [];
  for (const [name, run] of steps) {
    console.log(`\n── ${name}`);
    const started = performance.now();
    const ok = (await run()) === 0;
    results.push({ name, ok, seconds: (performance.now() - started) / 1000 });
  }
  console.log('\n── summary');
  for (const { name, ok, seconds } of results)
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s`);
  return results.every(({ ok }) => ok) ? 0 : 1;
}
