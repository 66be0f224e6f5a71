// `npm run dev`: the server, restarted when its files change, behind Vite, which updates the page as it is edited.
import { spawn } from 'node:child_process';
import { ready } from './set-up/ready.mjs';

const SERVER_PORT = process.env.PORT || '3000';
const PAGE_PORT = '5173';

await ready(() => {
  const env = {
    ...process.env,
    PORT: SERVER_PORT,
    PUBLIC_URL: process.env.PUBLIC_URL || `http://localhost:${PAGE_PORT}`,
    FAIRLEAD_SERVER: `http://127.0.0.1:${SERVER_PORT}`,
  };
  const run = (...args) => spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  const children = [
    run('--watch', '--watch-preserve-output', 'server/main.ts'),
    run('node_modules/vite/bin/vite.js', '--port', PAGE_PORT, '--strictPort', '--clearScreen=false'),
  ];

  let running = children.length;
  const stop = () => {
    for (const child of children) child.kill('SIGTERM');
  };
  for (const child of children)
    child.on('exit', (code) => {
      process.exitCode ||= code ?? 0;
      running -= 1;
      if (running > 0) stop();
    });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
});
