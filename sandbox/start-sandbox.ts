import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { readCsvBusinesses } from './businesses/csv-businesses.ts';
import { type Names, serveNames } from './dns/serve-names.ts';
import { createTurns, type Fault } from './faults.ts';
import { simulateGoogle } from './google/google.ts';
import { simulateHunter } from './hunter/hunter.ts';
import { simulateKeap } from './keap/keap.ts';
import { createContacts, type KeapContacts } from './keap/keap-contacts.ts';
import { createMeter, type Meter } from './meter.ts';
import { createOidcProvider, type OidcProvider } from './oidc/oidc.ts';
import { type Memory, play } from './play.ts';
import { simulateSearchbug } from './searchbug/searchbug.ts';
import { simulateTwilio, type TextMessage } from './twilio.ts';
import { type Sites, type SitesOptions, serveSites, type Visit } from './websites/serve-sites.ts';
import type { SandboxProvider, SandboxReply, Simulation } from './wire.ts';

const maxBodyBytes = 1024 * 1024;

export type SandboxOptions = {
  /** 0 takes a free one. */
  port: number;
  host: string;
  /** A file of real businesses to serve where it has any; see docs/sandbox.md for its columns. */
  placesCsv?: string | undefined;
  /** How long every provider call takes. Default 0. */
  latencyMs?: number;
  /** What chance does to each call: how much longer it takes, and the fault that it plays when its key asks for none. */
  chance?: (() => Chance) | undefined;
  /** Hears of each request to a website. */
  onVisit?: ((visit: Visit) => void) | undefined;
  pageAt?: SitesOptions['pageAt'];
  /** Hears of each text message that would have been sent. */
  onText?: ((text: TextMessage) => void) | undefined;
};

export type Chance = { delayMs: number; fault?: Fault | undefined };

/** `contacts`: those of the simulated CRM. `websites`: where those of invented businesses are served, and who knows their names. */
export type Sandbox = {
  url: string;
  meter: Meter;
  contacts: KeapContacts;
  websites: { url: string; dnsServer: string };
  close(): Promise<void>;
};

/**
 * Starts the simulated providers on one HTTP server: `/google`, `/hunter`, `/searchbug`, `/keap`, `/twilio`, and OpenID Connect at `/oidc`.
 * Beside them are `GET /meter`, `POST /meter/reset`, `POST /settings` and `POST /contacts`.
 * @throws when the CSV cannot be read or the port is taken.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const csv = options.placesCsv ? await readCsvBusinesses(options.placesCsv) : [];
  const contacts = createContacts();
  const simulations: Record<SandboxProvider, Simulation> = {
    google: simulateGoogle(csv),
    hunter: simulateHunter(),
    searchbug: simulateSearchbug(),
    keap: simulateKeap(contacts),
    twilio: simulateTwilio(options.onText ?? (() => {})),
  };
  const settings = { latencyMs: options.latencyMs ?? 0 };
  const meter = createMeter();
  const memory = { meter, turns: createTurns(), contacts };
  const chance = options.chance ?? (() => ({ delayMs: 0 }));

  const oidc = createOidcProvider();
  const server = createServer((request, response) => {
    handle(request, { ...simulations, oidc }, settings, chance, memory)
      .catch((): SandboxReply => ({ status: 500, body: { error: 'The sandbox failed on this request.' } }))
      .then((reply) => send(response, reply))
      .catch(() => response.destroy());
  });
  const port = await listen(server, options.port, options.host);
  const sites: Sites = await serveSites({
    latencyMs: options.latencyMs ?? 0,
    onVisit: options.onVisit,
    pageAt: options.pageAt,
  });
  const names: Names = await serveNames();
  return {
    url: `http://${options.host}:${port}`,
    meter,
    contacts,
    websites: { url: sites.url, dnsServer: names.server },
    async close() {
      await Promise.all([sites.close(), names.close()]);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function handle(
  request: IncomingMessage,
  simulations: Readonly<Record<SandboxProvider, Simulation>> & { oidc: OidcProvider },
  settings: { latencyMs: number },
  chance: () => Chance,
  memory: Memory & { contacts: KeapContacts },
): Promise<SandboxReply> {
  const url = new URL(request.url ?? '/', 'http://sandbox.invalid');
  const method = request.method ?? 'GET';
  const body = await readBody(request);
  if (body === undefined) return { status: 413, body: { error: 'The request is too large.' } };

  const [, first = '', rest = '/'] = /^\/([^/]*)(\/.*)?$/.exec(url.pathname) ?? [];
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const asked = { method, path: rest, query: url.searchParams, headers, body };
  if (first === 'oidc') return simulations.oidc.answer({ ...asked, issuer: `http://${request.headers.host}/oidc` });
  if (isProvider(first)) {
    const { delayMs, fault } = chance();
    await wait(settings.latencyMs + delayMs);
    return play(first, simulations[first], asked, memory, fault);
  }
  switch (`${method} ${url.pathname}`) {
    case 'GET /meter':
      return { status: 200, body: { totals: memory.meter.totals(), rows: memory.meter.rows() } };
    case 'POST /meter/reset':
      memory.meter.reset();
      memory.turns.reset();
      return { status: 200, body: {} };
    case 'POST /settings':
      return changeSettings(settings, body);
    case 'POST /contacts':
      return changeContact(memory.contacts, body);
    default:
      return { status: 404, body: { error: 'Not found. See docs/sandbox.md.' } };
  }
}

const isProvider = (name: string): name is SandboxProvider =>
  ['google', 'hunter', 'searchbug', 'keap', 'twilio'].includes(name);

function changeSettings(settings: { latencyMs: number }, body: string): SandboxReply {
  let latencyMs: unknown;
  try {
    latencyMs = JSON.parse(body)?.latencyMs;
  } catch {
    latencyMs = undefined;
  }
  if (typeof latencyMs !== 'number' || !(latencyMs >= 0 && latencyMs <= 60_000)) {
    return { status: 400, body: { error: 'Send {"latencyMs": 0 to 60000}.' } };
  }
  settings.latencyMs = latencyMs;
  return { status: 200, body: settings };
}

function changeContact(contacts: KeapContacts, body: string): SandboxReply {
  let asked: { email?: unknown; tagIds?: unknown } = {};
  try {
    asked = JSON.parse(body) ?? {};
  } catch {
    // Refused below, as anything else that is not asked for.
  }
  const { email, tagIds } = asked;
  if (typeof email !== 'string' || !(tagIds === null || Array.isArray(tagIds))) {
    return { status: 400, body: { error: 'Send {"email": "…", "tagIds": ["1001"]}; null removes the contact.' } };
  }
  contacts.set(email, tagIds === null ? undefined : tagIds.map(String));
  return { status: 200, body: {} };
}

/** The body as text; undefined when it is larger than any real request. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return size > maxBodyBytes ? undefined : Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, reply: SandboxReply): void {
  if (reply.cut) {
    // Half an answer first: the caller sees a connection that breaks, not one that never opened.
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"', () => response.destroy());
    return;
  }
  const isText = typeof reply.body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  response.writeHead(reply.status, { 'content-type': type, ...reply.headers });
  response.end(isText ? reply.body : JSON.stringify(reply.body));
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      if (address && typeof address === 'object') resolve(address.port);
      else reject(new Error('The sandbox has no port.'));
    });
  });
}
