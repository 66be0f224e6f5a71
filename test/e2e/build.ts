import { execFileSync } from 'node:child_process';

/** Builds the browser app once for the run, unless the last build is newer than its sources. */
export default function setup(): void {
  const script = "import('./scripts/build.mjs').then((build) => build.buildIfStale())";
  execFileSync(process.execPath, ['-e', script], { stdio: 'inherit' });
}
