/**
 * Runs every step, also after one has failed, prints a summary, and returns the exit code.
 * - A step: a name, and a function that returns an exit code or a promise of one.
 * - An array of steps in place of one: they run at the same time, and each is given `quiet` to collect what it prints.
 */
export async function runSteps(steps) {
  const results = [];
  for (const step of steps) {
    const together = Array.isArray(step[0]) ? step : [step];
    if (together.length === 1) results.push(await runStep(together[0]));
    else results.push(...(await Promise.all(together.map((one) => runStep(one, [])))));
  }
  console.log('\n── summary');
  for (const { name, ok, seconds } of results)
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s`);
  return results.every(({ ok }) => ok) ? 0 : 1;
}

/** `printed`: collects what the step prints, which is shown once it has ended; without it, it is shown as it comes. */
async function runStep([name, run], printed) {
  if (!printed) console.log(`\n── ${name}`);
  const started = performance.now();
  const ok = (await run(printed)) === 0;
  if (printed) console.log(`\n── ${name}\n${printed.join('').trimEnd()}`);
  return { name, ok, seconds: (performance.now() - started) / 1000 };
}
