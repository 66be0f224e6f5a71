import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';

/** What the container's check ends with, while someone listens on `host` and answers `status`. */
async function check(host: string, status: number): Promise<number> {
  const server = createServer((_request, response) => response.writeHead(status).end()).listen(0, host);
  await once(server, 'listening');
  const PORT = String((server.address() as AddressInfo).port);
  const child = spawn(process.execPath, ['deploy/healthcheck.mjs'], { env: { HOST: host, PORT }, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number];
  server.close();
  return code;
}

test.each([
  ['0.0.0.0', 503, 1],
  ['127.0.0.2', 200, 0],
])('a container that listens on %s and answers %i is found as it is', async (host, status, code) => {
  expect(await check(host, status)).toBe(code);
});
