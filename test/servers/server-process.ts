import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A Fairlead in a process of its own. `output` is all it has printed so far. */
export type ServerProcess = {
  readonly child: ChildProcess;
  readonly output: string;
  /**
   * The site's address, once it has printed that it is ready; of a worker, which has none, nothing. Rejects when it ends before, with
   * what it printed.
   */
  ready(): Promise<string>;
  /** Sends a signal (default SIGTERM) and returns the exit code, null after a kill. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** Keeps what Node has compiled for the processes after it, as `npm start` does. */
export const COMPILED_ONCE = { NODE_COMPILE_CACHE: 'node_modules/.cache/node' };

/** Starts server/main.ts, or another that says the same when it is ready, on a free port with exactly this environment. */
export function startServer(env: Record<string, string>, main = 'server/main.ts'): ServerProcess {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, PORT: '0', ...COMPILED_ONCE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let output = '';
  const address = new Promise<string>((resolve) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /Fairlead is ready: (\S+)|Fairlead's worker is running/.exec(output);
      if (found) resolve(found[1] ?? '');
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
  });
  return {
    child,
    get output() {
      return output;
    },
    ready: () =>
      Promise.race([
        address,
        ended.then((code) => Promise.reject(new Error(`The server ended with code ${code}:\n${output}`))),
      ]),
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}
