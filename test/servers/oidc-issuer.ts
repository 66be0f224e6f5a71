import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { JWTPayload } from 'jose';
import type { IdentityProvider } from '#backend/auth/kit/identity-provider.ts';
import { SITE } from '#backend/auth/testing/harness.ts';
import { createOidcProvider, type SignIdToken } from '#sandbox/oidc/oidc.ts';

type Tamper = (claims: JWTPayload, sign: SignIdToken) => Promise<string>;

/** An OpenID Connect provider over real HTTP, which can be made to lie. */
export async function startIssuer() {
  const lie: { tamper: Tamper | undefined; down: boolean } = { tamper: undefined, down: false };
  const oidc = createOidcProvider((claims, sign) => (lie.tamper ? lie.tamper(claims, sign) : sign(claims)));
  const server: Server = createServer(async (request, response) => {
    if (lie.down) return void response.destroy();
    const address = new URL(request.url ?? '/', url);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const reply = await oidc.answer({
      method: request.method ?? 'GET',
      path: address.pathname,
      query: address.searchParams,
      headers,
      body: await text(request),
      issuer: url,
    });
    const isText = typeof reply.body === 'string';
    response.writeHead(reply.status, { ...(isText ? {} : { 'content-type': 'application/json' }), ...reply.headers });
    response.end(isText ? reply.body : JSON.stringify(reply.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    lie,
    /** Signs what an honest provider would, for a client that asks for ID tokens by itself. */
    idToken: (claims: JWTPayload) => {
      const now = Math.floor(Date.now() / 1000);
      return oidc.sign({ iss: url, aud: 'fairlead', iat: now, exp: now + 600, ...claims });
    },
    as: (name: IdentityProvider['name']): IdentityProvider => ({
      name,
      issuer: url,
      clientIds: ['fairlead', 'fairlead-phone'],
      clientSecret: 'secret-of-the-client',
    }),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What the person at the browser does on the provider's page: choose someone, type an address, or cancel. */
export type Choice = { person: string } | { email: string } | 'cancel';

/** Opens the address that the client wants opened, chooses, and returns the way back to `api`, which is not opened yet. */
export async function goAndChoose(startUrl: string, choice: Choice, api: string): Promise<string> {
  const departure = await fetch(startUrl, { redirect: 'manual' });
  const page = new URL(departure.headers.get('Location') ?? `no-way-out:${departure.status}`);
  return choose(page.href, choice, api);
}

/** The same for someone who is at the provider's page already. */
export async function choose(pageUrl: string, choice: Choice, api: string): Promise<string> {
  const page = new URL(pageUrl);
  const form = new URLSearchParams(page.searchParams);
  if (choice === 'cancel') form.set('person', '');
  else if ('person' in choice) form.set('person', choice.person);
  else {
    form.set('person', 'other');
    form.set('email', choice.email);
  }
  const back = await fetch(`${page.origin}${page.pathname}`, { method: 'POST', body: form, redirect: 'manual' });
  return (back.headers.get('Location') ?? '').replace(`${SITE}/auth/v1`, api);
}

/** Opens the way back. Returns where it leads on to. */
export async function comeBack(backUrl: string): Promise<URL> {
  const opened = await fetch(backUrl, { redirect: 'manual' });
  return new URL(opened.headers.get('Location') ?? `no-way-on:${opened.status}`);
}
