import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { UnreadableFile } from '#server/open-data/read/chunk.ts';
import type { Loaded, Progress } from './load-places.ts';
import type { Order } from './order.ts';

/** `mebibytes`: the most memory that its process held. */
export type LoadedApart = Loaded & { mebibytes: number };
/** What the process says, one of these at a time. */
export type FromChild =
  | { progress: Progress }
  | { loaded: LoadedApart }
  | { failed: { message: string; refused: boolean; reason?: string | undefined } };

/** Node's part of the memory. With DuckDB's own it stays below 300 MB. */
const HEAP_MEBIBYTES = 112;

type Asked = {
  url: string;
  order: Order;
  startedBy?: string;
  progress?: (now: Progress) => void;
  signal?: AbortSignal;
};

/**
 * Loads places in a process of its own with a cap on its memory: a row group of a file is as large as its maker liked.
 * @throws UnreadableFile; Error when the process ended otherwise, its cause the technical reason where there is one.
 */
export function loadApart({ url, order, startedBy, progress, signal }: Asked): Promise<LoadedApart> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), {
      execArgv: [`--max-old-space-size=${HEAP_MEBIBYTES}`, '--max-semi-space-size=4'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      ...(signal ? { signal } : {}),
    });
    child.on('error', reject);
    child.on('message', (said: FromChild) => {
      if ('progress' in said) progress?.(said.progress);
      else if ('loaded' in said) resolve(said.loaded);
      else {
        const { message, refused, reason } = said.failed;
        reject(refused ? new UnreadableFile(message) : new Error(message, reason ? { cause: new Error(reason) } : {}));
      }
    });
    child.on('exit', (code, ended) =>
      reject(
        new Error(
          `The import stopped (${ended ?? `exit code ${code}`}). Start it again: it continues where it stopped.`,
        ),
      ),
    );
    child.send({ url, order, ...(startedBy === undefined ? {} : { startedBy }) });
  });
}
