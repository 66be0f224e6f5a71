import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What is to be stopped once the tests of the file that runs are over, in this worker. */
const running: (() => Promise<void>)[] = [];

/** Stops something after the file. It can be called from hooks too, whereas a hook that is added within another never runs. */
export function stopAfterFile(stop: () => Promise<void>): void {
  running.push(stop);
}

/** Stops all that was started for the file, the newest first. */
export async function stopStarted(): Promise<void> {
  for (const stop of running.splice(0).toReversed()) await stop();
}

/** A new folder under the system's temporary one, which goes after the file. */
export function folderForFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-test-'));
  stopAfterFile(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
