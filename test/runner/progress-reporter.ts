import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DefaultReporter, type TestModule, type TestSpecification } from 'vitest/node';

/** What each file took the last time, in ms, by its project and path. */
const TIMES = 'node_modules/.tmp/test-times.json';
/** For files that were never timed, in ms. */
const GUESS = { e2e: 15_000, long: 30_000, others: 2_500 };

type Times = Record<string, number>;

/**
 * A line for each file that has ended, with how many have and how long the rest will take. Tests are named only where they fail; at
 * the end stand the commands that run the failed files alone. Plain lines: nothing moves a cursor.
 */
export default class ProgressReporter extends DefaultReporter {
  #times: Times = {};
  #waiting = new Map<string, number>();
  #files = 0;
  #allWork = 0;
  #started = 0;

  constructor() {
    super({ summary: false });
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#times = readTimes();
    this.#started = performance.now();
    this.#files = specifications.length;
    this.#waiting = new Map(
      specifications.map(({ project, moduleId }) => {
        const key = keyOf(project.name, this.relative(moduleId));
        return [key, this.#workOf(key, project.config.maxWorkers)];
      }),
    );
    this.#allWork = this.#workLeft();
  }

  /** How long a file keeps the whole machine: files of a project run side by side. */
  #workOf(key: string, workers: number): number {
    const guess = key.startsWith('e2e ') ? GUESS.e2e : key.startsWith('long ') ? GUESS.long : GUESS.others;
    return (this.#times[key] ?? guess) / Math.max(1, workers);
  }

  protected override printTestModule(module: TestModule): void {
    const key = keyOf(module.project.name, this.relative(module.moduleId));
    const { duration } = module.diagnostic();
    this.#waiting.delete(key);
    this.#times[key] = Math.round(duration);
    const failed = module.state() === 'failed';
    const count = `${this.#files - this.#waiting.size} of ${this.#files}`;
    this.log(`${failed ? '✗' : '✓'} ${count} · ${key} ${(duration / 1_000).toFixed(1)} s · ${this.#left()}`);
    if (failed) super.printTestModule(module);
  }

  #workLeft(): number {
    return [...this.#waiting.values()].reduce((sum, one) => sum + one, 0);
  }

  #left(): string {
    if (this.#waiting.size === 0) return 'all have run';
    // What is under way counts as waiting, so time that has passed tells more; on a slow machine it tells too little.
    const passed = performance.now() - this.#started;
    const minutes = Math.max(this.#allWork - passed, this.#workLeft() / 2) / 60_000;
    return minutes < 1 ? 'less than a minute left' : `about ${Math.round(minutes)} min left`;
  }

  override onTestRunEnd(...run: Parameters<DefaultReporter['onTestRunEnd']>): void {
    super.onTestRunEnd(...run);
    mkdirSync(dirname(TIMES), { recursive: true });
    writeFileSync(TIMES, JSON.stringify(this.#times));
    const failed = run[0].filter((module) => module.state() === 'failed');
    if (failed.length === 0) return;
    this.log('\nTo run a failed file alone, paste its line:');
    for (const module of failed)
      this.log(`  npx vitest run --project ${module.project.name} ${this.relative(module.moduleId)}`);
  }
}

const keyOf = (project: string, path: string) => `${project} ${path}`;

function readTimes(): Times {
  try {
    return JSON.parse(readFileSync(TIMES, 'utf8')) as Times;
  } catch {
    return {};
  }
}
