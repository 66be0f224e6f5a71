import { spawn } from 'node:child_process';

/**
 * Runs a script, named from the project's folder, on the Node that runs this one. Resolves to its exit code once it has ended.
 * - `printed`: collects what it prints; without it, it is shown as it comes.
 */
export function tool(script, args, printed) {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['inherit', ...(printed ? ['pipe', 'pipe'] : ['inherit', 'inherit'])],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => printed.push(text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
