// A process of its own, started by bare-server.ts.
import { once } from 'node:events';
import { createServer } from 'node:http';
import pg from 'pg';
import type { BareRoute, BareSetup } from './bare-server.ts';

process.once('disconnect', () => process.exit());
const [{ databaseUrl, routes }] = (await once(process, 'message')) as [BareSetup];
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

/** As the data API does it, the answer leaves before the reading transaction is ended. */
async function read({ begin, statement, answer }: BareRoute, send: (body: string) => void): Promise<void> {
  const client = await pool.connect();
  await client.query(begin);
  const { rows } = await client.query<{ body: string }>(statement);
  send(answer === 'text' ? (rows[0]?.body ?? '') : JSON.stringify(rows));
  await client.query('commit');
  client.release();
}

const server = createServer((request, response) => {
  const route = routes[request.url?.slice(1) ?? ''];
  if (!route) {
    response.writeHead(404).end();
    return;
  }
  read(route, (body) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body);
  }).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
});
