import { Agent, get } from 'node:http';

/** GETs over one kept connection, with as little around it as node:http needs. */
export function createGetter(headers: Record<string, string>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    /** The body as bytes. Rejects for anything but 200. */
    get: (url: string): Promise<Buffer> =>
      new Promise((resolve, reject) => {
        get(url, { agent, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const body = Buffer.concat(chunks);
            if (response.statusCode === 200) resolve(body);
            else reject(new Error(`${url} answered ${response.statusCode}: ${body.toString().slice(0, 300)}`));
          });
        }).on('error', reject);
      }),
    close: () => agent.destroy(),
  };
}
