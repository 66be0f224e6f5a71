import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { getCompileCacheDir } from 'node:module';
import { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Beginning, SERVING, WINDOW_BYTES } from './told.ts';

/** Verdicts on all of 100,000 leads need some 200 MB. */
const HEAP_MEBIBYTES = 768;
const START_MS = 30_000;
const STOP_MS = 5_000;
/** What is under way of one request at most: a body of 1 MB. Node's default of 10 MB for all of them would refuse some. */
const SESSION_MEBIBYTES = 256;

/** `ended`: how the process ended; it cannot be sent anything after that. */
export type Child = {
  pid: number | undefined;
  session: ClientHttp2Session;
  ended: Promise<string>;
  end(): Promise<void>;
};

/**
 * Starts the process and resolves once it serves. Both speak HTTP/2 over a pair of sockets without a name: no one else can reach it, and
 * it notices at once when this process is gone.
 * @throws Error when it ends before, or takes too long.
 */
export async function startChild(beginning: Beginning): Promise<Child> {
  const cache = getCompileCacheDir();
  const child = fork(fileURLToPath(import.meta.resolve('#server/wiring/apart/child.ts')), {
    execArgv: [`--max-old-space-size=${HEAP_MEBIBYTES}`],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'overlapped'],
    env: { ...process.env, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) },
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const socket = child.stdio[4];
  if (!(socket instanceof Duplex)) throw new Error('The process has no socket.');
  socket.on('error', () => {}); // 'exit' follows
  try {
    child.send(beginning);
    await serving(child, ended);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const session = connect('http://apart', {
    createConnection: () => socket,
    maxSessionMemory: SESSION_MEBIBYTES,
    settings: { enablePush: false, initialWindowSize: WINDOW_BYTES, maxFrameSize: WINDOW_BYTES },
  });
  session.once('connect', () => session.setLocalWindowSize(8 * WINDOW_BYTES));
  session.on('error', () => {}); // its streams tell who waits
  return {
    pid: child.pid,
    session,
    ended,
    async end() {
      session.close();
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

async function serving(child: ChildProcess, ended: Promise<string>): Promise<void> {
  const late = AbortSignal.timeout(START_MS);
  const said = await Promise.race([
    once(child, 'message', { signal: late }).then(([message]) => message as unknown),
    ended.then((how) => Promise.reject(new Error(`The process ended (${how}) before it served.`))),
  ]);
  if (said !== SERVING) throw new Error('The process sent something else instead of saying that it serves.');
}
