import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Names, serveNames } from '#sandbox/dns/serve-names.ts';
import { plantedSite, type SiteKind } from '#sandbox/websites/planted-site.ts';
import { type Sites, serveSites, type Visit } from '#sandbox/websites/serve-sites.ts';
import { nameServers } from './fetch/resolve-name.ts';
import { mailState } from './mail-exchange.ts';
import { type Visiting, visitSite } from './visit-site.ts';

let sites: Sites;
let names: Names;
const visits: Visit[] = [];
beforeAll(async () => {
  sites = await serveSites({ onVisit: (visit) => visits.push(visit) });
  names = await serveNames();
});
afterAll(async () => {
  await sites.close();
  await names.close();
});

/** Without the second between requests; the pace itself is tested where it is kept. */
const visiting = (more: Partial<Visiting> = {}): Visiting => ({
  names: nameServers(names.server),
  standIn: new URL(sites.url),
  userAgent: 'FairleadBot/1.0 (+https://fairlead.example/)',
  pace: (_host, _gap, request) => request(),
  signal: new AbortController().signal,
  isShared: (host) => /(^|\.)facebook\.com$/.test(host),
  isHeld: async (host) => /(^|\.)held\.example$/.test(host),
  ...more,
});
function domainOf(kind: SiteKind): string {
  for (let index = 0; ; index += 1) {
    const domain = `planted-${index}.example`;
    if (plantedSite(domain).kind === kind) return domain;
  }
}

const kinds: SiteKind[] = [
  ...(['mailto-home', 'mailto-contact', 'nested-contact', 'cloudflare', 'entities', 'spelled', 'json-ld'] as const),
  ...([
    'text-contact',
    'freemail',
    'moved-to-www',
    'legal-page',
    'endless',
    'robots-allow-contact',
    'no-address',
  ] as const),
  ...(['social-only', 'leads-to-facebook', 'robots-refuse', 'robots-unreachable', 'robots-hide-contact'] as const),
  ...([
    'blocked',
    'no-such-name',
    'name-unknown',
    'server-error',
    'redirect-private',
    'redirect-to-private-name',
  ] as const),
  ...(['private-name', 'redirect-loop', 'bomb', 'notice', 'placeholders', 'refuses-mail'] as const),
];
test.each(kinds)('a site of the kind %s', async (kind) => {
  const domain = domainOf(kind);
  const { expected } = plantedSite(domain);
  const visit = await visitSite(visiting(), `http://${domain}/`);
  expect({ status: visit.status, email: visit.emails[0]?.email, notice: visit.notice !== undefined }).toEqual(expected);
  for (const { page } of [...visit.emails, ...visit.phones]) expect(new URL(page).hostname.endsWith(domain)).toBe(true);
  expect(visit.emails.length).toBeLessThanOrEqual(1);
});

/** Serves one site by `answer`, in place of the internet. */
async function serveSite(answer: RequestListener): Promise<Partial<Visiting>> {
  const site = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void site.close());
  await once(site, 'listening');
  return { names: undefined, standIn: new URL(`http://127.0.0.1:${(site.address() as AddressInfo).port}`) };
}
const html = (response: ServerResponse, body: string) => response.setHeader('content-type', 'text/html').end(body);
/** A site whose pages hold an address, under `robots`. */
const withRobots = (robots: string) =>
  serveSite(({ url }, response) =>
    url === '/robots.txt' ? response.end(robots) : html(response, 'info@firm.example'),
  );

/** Serves pages by host and path, without robots.txt. A page that is an address is a redirect to it. */
const serveHosts = (pages: Readonly<Record<string, string>>, asked: string[] = []) =>
  serveSite(({ headers, url = '/' }, response) => {
    asked.push(headers.host ?? '');
    const page = pages[`${headers.host?.split(':')[0]}${url}`];
    if (page === undefined) response.writeHead(404).end();
    else if (page.startsWith('http')) response.writeHead(301, { location: page }).end();
    else html(response, page);
  });
const JOE = { name: 'Joe’s Plumbing, LLC', phone: '+1 217-555-0101' };
const proveEntry = async (page: string, more: Readonly<Record<string, string>> = {}) => {
  const site = await serveHosts({ 'joes.example/': 'https://other.example/', 'other.example/': page, ...more });
  const { status, emails, phones, profiles } = await visitSite(visiting(site), 'joes.example', [JOE]);
  return { status, emails: emails.map(({ email }) => email), found: phones.length + profiles.length };
};

test('a site of its own is no page on a social network, and its phone is read from plain text', async () => {
  const page =
    '<p>Call us: (217) 555-0101</p><p>Fax: (217) 555-0102</p><a href="https://facebook.com/joes">Facebook</a>';
  const visit = await visitSite(visiting(await serveHosts({ 'joes.example/': page })), 'joes.example');
  expect(visit).toMatchObject({
    status: 'nothing',
    phones: [{ phone: '(217) 555-0101' }],
    profiles: [{ profile: 'https://facebook.com/joes' }],
  });
});

test.each([
  [{ '/contact': '<a href="mailto:desk@parent.example">Write</a>' }, ['desk@parent.example']],
  [{ '/contact': '<a href="mailto:desk@parent.example">a</a><a href="mailto:help@board.example">b</a>' }, []],
  [{ '/terms': '<a href="mailto:desk@templates.example">Write</a>' }, []],
  [{ '/contact': '<a href="mailto:privacy@vendor.example">Write</a>' }, []],
  [{ '/': '<script type="application/ld+json">{"creator":{"email":"dev@agency.example"}}</script>' }, []],
])('an address of another domain counts only where it can be the firm’s: %j', async (pages, expected) => {
  const home = Object.keys(pages).map((path) => `<a href="${path}">Contact</a>`);
  const all = { '/': home.join(), ...pages };
  const site = await serveHosts(
    Object.fromEntries(Object.entries(all).map(([path, page]) => [`joes.example${path}`, page])),
  );
  const { emails } = await visitSite(visiting(site), 'joes.example');
  expect(emails.map(({ email }) => email)).toEqual(expected);
});

test('packing that servers do not agree on is not asked for', async () => {
  const site = await serveSite(({ headers, url }, response) => {
    if (url === '/robots.txt') return response.writeHead(404).end();
    if (!`${headers['accept-encoding']}`.includes('deflate')) return html(response, 'info@joes.example');
    return response.setHeader('content-encoding', 'deflate').end(deflateRawSync('info@joes.example'));
  });
  expect(await visitSite(visiting(site), 'joes.example')).toMatchObject({ status: 'found' });
});

test.each([
  ['a box of text', '<textarea readonly>Terms.\n\nYou may not harvest email\naddresses from this site.</textarea>'],
  ['a tag for machines', '<meta name="No-Email-Collection" content="https://unspam.example/noemailcollection">'],
])('a notice is respected that stands in %s', async (_, notice) => {
  const site = await serveHosts({ 'joes.example/': `${notice}<a href="mailto:info@joes.example">Write</a>` });
  const visit = await visitSite(visiting(site), 'joes.example');
  expect(visit).toMatchObject({ status: 'nothing', emails: [], notice: { page: expect.stringContaining('joes') } });
});

test.each([
  ['utf-16le', 'text/html', '\ufeff<p>info@joes.example</p>'],
  ['utf-8', 'text/html', '<meta charset="utf-16"><p>info@joes.example</p>'],
  ['utf-8', 'text/html; charset=no-such', '<p>info@joes.example</p>'],
  ['utf-8', 'text/html', '<script src="a.js" charset="utf-16"></script><p>info@joes.example</p>'],
] as const)('a page in %s, sent as %s, is read: %s', async (encoding, type, page) => {
  const site = await serveSite(({ url }, response) =>
    url === '/'
      ? response.setHeader('content-type', type).end(Buffer.from(page, encoding === 'utf-8' ? 'utf8' : 'utf16le'))
      : response.writeHead(404).end(),
  );
  expect((await visitSite(visiting(site), 'joes.example')).emails).toMatchObject([{ email: 'info@joes.example' }]);
});

describe('a site that leads to another domain', () => {
  const nothing = { status: 'nothing', emails: [], found: 0 };
  test.each([
    'Buy this domain! <a href="mailto:sales@other.example">sales@other.example</a> <a href="tel:+18005550100">Call</a>',
    '<h1>Joes Plumbing</h1><p>joes-plumbers.example: this domain name may be for sale. sales@other.example</p>',
    '<p>Plumbing near you</p><p>Joe’s tips</p><a href="https://facebook.com/ads">f</a> info@other.example',
    '<p>joes-plumbers.example</p> agent@gmail.com',
  ])('is no one’s without the name of the business: %s', async (page) => {
    expect(await proveEntry(page)).toEqual(nothing);
  });
  test.each([
    '<p>Joe’s Plumbing is now Capital Home Services.</p> Write to hello@other.example',
    '<p>© 2026 JOES PLUMBING</p><p>hello@other.example</p>',
    '<p>Capital Home Services</p><p>Call (217) 555-0101</p><p>hello@other.example</p>',
    '<a href="tel:+1%20217-555-0101">Call us</a> hello@other.example',
  ])('is the business’s own where it names it: %s', async (page) => {
    expect(await proveEntry(page)).toMatchObject({ status: 'found', emails: ['hello@other.example'] });
  });
  test('ranks below the domain that was asked', async () => {
    expect((await proveEntry('<p>Joes Plumbing</p> hello@other.example old@joes.example')).emails).toEqual([
      'old@joes.example',
      'hello@other.example',
    ]);
    expect((await proveEntry('<p>We are others.</p> hello@other.example old@joes.example')).emails).toEqual([
      'old@joes.example',
    ]);
    const contact = { 'other.example/contact': '<p>Joes Plumbing</p> desk@other.example' };
    expect((await proveEntry('<a href="/contact">Contact</a>', contact)).emails).toEqual(['desk@other.example']);
  });
  test.each(['https://www.hugedomains.com/domain_profile.cfm?d=joes', 'https://dan.com/buy-domain/joes.example'])(
    'is not followed to %s',
    async (address) => {
      const asked: string[] = [];
      const site = await serveSite(({ headers, url }, response) => {
        asked.push(`${headers.host}${url}`);
        response.writeHead(302, { location: address }).end();
      });
      expect(await visitSite(visiting(site), 'joes.example', [JOE])).toMatchObject({ status: 'nothing', emails: [] });
      expect(asked).toEqual(['joes.example/robots.txt']);
    },
  );
});

test.each([
  { 'joes.example/': 'https://www.held.example/' },
  { 'joes.example/': 'info@joes.example', 'joes.example/robots.txt': 'https://held.example/robots.txt' },
  { 'joes.example/': 'https://other.example/', 'other.example/': 'https://held.example/' },
])('a host that is held back is not asked, wherever a site leads to it: %j', async (pages) => {
  const asked: string[] = [];
  const site = await serveHosts({ 'www.held.example/': 'info@held.example', ...pages }, asked);
  expect(await visitSite(visiting(site), 'joes.example', [JOE])).toMatchObject({ status: 'suppressed', emails: [] });
  expect(asked.filter((host) => host.includes('held'))).toEqual([]);
});

test('a domain that leads to a social network with all its pages, robots.txt too, is a social page only', async () => {
  const forward = (to: (path: string) => string) =>
    serveSite(({ url = '/' }, response) => response.writeHead(301, { location: to(url) }).end());
  const page = 'https://www.facebook.com/joes';
  const profiles = [{ profile: page, page }];
  expect(await visitSite(visiting(await forward(() => page)), 'joes.example')).toMatchObject({
    status: 'social_only',
    profiles,
  });
  expect(await visitSite(visiting(await forward((path) => page + path)), 'joes.example')).toMatchObject({
    status: 'social_only',
    profiles: [],
  });
});

describe('a page that leads on by itself', () => {
  const refresh = (content: string) => `<meta http-equiv="Refresh" content="${content}">`;
  const visit = async (pages: Readonly<Record<string, string>>, asked: string[] = []) => {
    const { status, emails, profiles } = await visitSite(visiting(await serveHosts(pages, asked)), 'joes.example', [
      JOE,
    ]);
    return { status, emails: emails.map(({ email }) => email), profiles: profiles.map(({ profile }) => profile) };
  };
  test.each(['0; url=/home/', "5;URL='https://www.joes.example/home/'", '0,/home/'])('is followed: %s', async (to) => {
    const found = { status: 'found', emails: ['info@joes.example'] };
    const home = { 'joes.example/home/': 'info@joes.example', 'www.joes.example/home/': 'info@joes.example' };
    expect(await visit({ 'joes.example/': refresh(to), ...home })).toMatchObject(found);
  });
  test.each([
    refresh('300; url=/out'),
    refresh('5'),
    refresh('0; url=http://joes.example/'),
    refresh('0; url=http://127.0.0.1/'),
    refresh('0; url=javascript:out()'),
    `<noscript>${refresh('0; url=/out')}</noscript>`,
  ])('is not: %s', async (page) => {
    const asked: string[] = [];
    expect(await visit({ 'joes.example/': `${page}me@joes.example` }, asked)).toMatchObject({ status: 'found' });
    expect(asked).toHaveLength(2);
  });
  test('is judged as a redirect is', async () => {
    const asked: string[] = [];
    const to = (address: string) => ({ 'joes.example/': refresh(`0; url=${address}`) });
    expect(await visit(to('https://facebook.com/joes'), asked)).toEqual({
      status: 'social_only',
      emails: [],
      profiles: ['https://facebook.com/joes'],
    });
    expect(await visit(to('https://held.example/'), asked)).toMatchObject({ status: 'suppressed' });
    expect(await visit(to('https://hugedomains.com/joes'), asked)).toMatchObject({ status: 'nothing' });
    expect(asked.filter((host) => host !== 'joes.example')).toEqual([]);
    const refused = {
      'joes.example/robots.txt': 'User-agent: *\nDisallow: /home',
      'joes.example/home': 'a@joes.example',
    };
    expect(await visit({ ...to('/home'), ...refused })).toMatchObject({ status: 'refused_by_robots', emails: [] });
    const other = { ...to('https://other.example/'), 'other.example/': 'hello@other.example' };
    expect(await visit(other)).toMatchObject({ status: 'nothing', emails: [] });
    const named = { ...other, 'other.example/': 'Joe’s Plumbing hello@other.example' };
    expect(await visit(named)).toMatchObject({ status: 'found', emails: ['hello@other.example'] });
    const loop = { ...to('/a'), 'joes.example/a': refresh('0; url=/b'), 'joes.example/b': refresh('0; url=/c') };
    asked.length = 0;
    await visit(loop, asked);
    expect(asked).toHaveLength(4);
  });
});

test('a page behind the first that leads to a host that is held back is left out', async () => {
  const home = '<a href="/contact">Contact</a> <a href="/about">About</a>';
  const pages = { 'joes.example/contact': 'https://held.example/', 'joes.example/about': 'info@joes.example' };
  const site = await serveHosts({ 'joes.example/': home, 'held.example/': 'info@held.example', ...pages });
  expect(await visitSite(visiting(site), 'joes.example')).toMatchObject({
    status: 'found',
    emails: [{ email: 'info@joes.example' }],
  });
});

test('a block ends the visit, also behind the home page', async () => {
  const asked: string[] = [];
  const links = '<a href="/contact">Contact</a> <a href="/about">About</a> <a href="/team">Team</a>';
  const site = await serveSite(({ url }, response) => {
    asked.push(url ?? '');
    if (url === '/') html(response, links);
    else response.writeHead(url === '/robots.txt' ? 404 : 429).end();
  });
  const visit = await visitSite(visiting(site), 'http://blocked.example/');
  expect([visit.status, asked]).toEqual(['blocked', ['/robots.txt', '/', '/contact']]);
});

test('of a robots.txt that is too long, no line counts by half', async () => {
  const long = (last: string) =>
    `User-agent: *\nDisallow: /\n${'#'.repeat(500 * 1024 - 27 - last.length)}\n${last}xyz\n`;
  expect((await visitSite(visiting(await withRobots(long('Allow: /'))), 'firm.example')).status).toBe(
    'refused_by_robots',
  );
});

test('the pause that a site asks for is kept from its robots.txt on', async () => {
  const gaps: number[] = [];
  const pace: Visiting['pace'] = (_host, gap, request) => {
    gaps.push(gap);
    return request();
  };
  await visitSite(visiting({ pace, ...(await withRobots('User-agent: *\nCrawl-delay: 7')) }), 'firm.example');
  expect(gaps).toEqual([1_000, 7_000, 7_000]);
});

test('what robots.txt refuses is not asked for, and at most five pages are', async () => {
  visits.length = 0;
  await visitSite(visiting(), `https://${domainOf('robots-refuse')}/`);
  await visitSite(visiting(), `https://${domainOf('robots-hide-contact')}/`);
  expect(visits.filter(({ path }) => path === '/contact')).toEqual([]);
  expect(visits.map(({ path }) => path).filter((path) => path === '/robots.txt')).toHaveLength(2);
  expect(visits.length).toBeLessThanOrEqual(2 + 1 + 4);
  expect(visits.every(({ userAgent }) => userAgent.startsWith('FairleadBot/'))).toBe(true);
});

describe('a name that changes between the look and the connection', () => {
  test('is connected to where it was judged, and nowhere else', async () => {
    let looks = 0;
    const changing = visiting({
      standIn: undefined,
      names: {
        ...nameServers(names.server),
        resolve4: (async () => {
          looks += 1;
          return looks === 1 ? ['192.0.0.1'] : ['127.0.0.1'];
        }) as never,
        resolve6: (async () => []) as never,
        resolveMx: async () => [],
      },
    });
    visits.length = 0;
    expect(await visitSite(changing, `http://rebound.example:80/`)).toMatchObject({
      status: expect.stringMatching(/blocked|refused_by_robots/),
    });
    expect(visits).toEqual([]);
  });
});

test('a bomb and an endless page are read up to the limit only', async () => {
  const before = process.memoryUsage().rss;
  for (const kind of ['bomb', 'endless'] as const)
    await Promise.all([1, 2, 3].map(() => visitSite(visiting(), `http://${domainOf(kind)}/`)));
  expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(200);
});

test('a visit ends when its run does', async () => {
  const controller = new AbortController();
  const visit = visitSite(visiting({ signal: controller.signal }), `http://${domainOf('slow')}/`);
  setTimeout(() => controller.abort(new Error('canceled')), 50);
  await expect(visit).rejects.toThrow('canceled');
});

test.each([
  [domainOf('mailto-home'), 'accepts'],
  [domainOf('refuses-mail'), 'refuses'],
  [domainOf('no-such-name'), 'none'],
  [domainOf('text-contact'), 'implicit'],
  [domainOf('name-unknown'), 'unknown'],
  ['elsewhere.invalid', 'none'],
  ['gmail.com', 'accepts'],
])('mail of %s: %s', async (domain, expected) => {
  expect(await mailState(nameServers(names.server), domain)).toBe(expected);
});

test.each(['utf16le', 'utf8'] as const)('a robots.txt in %s refuses as any other does', async (encoding) => {
  const site = await serveSite(({ url }, response) =>
    url === '/robots.txt'
      ? response.end(Buffer.from('\ufeffUser-agent: *\r\nDisallow: /\r\n', encoding))
      : html(response, 'info@firm.example'),
  );
  expect((await visitSite(visiting(site), 'firm.example')).status).toBe('refused_by_robots');
});
