// `npm start`: installs what is missing, builds what is stale, starts the server in this process.
import { ready } from './set-up/ready.mjs';

await ready(async () => {
  const { buildIfStale } = await import('./build.mjs');
  await buildIfStale();
  stopWithNpm();
  // Compiled code and stripped types are kept for the next start, which then takes two thirds of the time.
  const { enableCompileCache, flushCompileCache } = await import('node:module');
  enableCompileCache('node_modules/.cache/node');
  await import('../server/main.ts');
  flushCompileCache();
});

/** npm that is killed outright forwards no signal; that it has gone shows in our parent changing. */
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 1000).unref();
}
