import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Names, serveNames } from '#sandbox/dns/serve-names.ts';
import { plantedSite } from '#sandbox/websites/planted-site.ts';
import { type Sites, serveSites, type Visit } from '#sandbox/websites/serve-sites.ts';
import { nameServers } from './fetch/resolve-name.ts';
import type { Pace } from './pace.ts';
import { type Visiting, visitSite } from './visit-site.ts';

const SITES = 1_000;
const AT_ONCE = 125;
/** The clocks of two ends of a connection differ by the time of a packet. */
const LEAST_GAP_MS = 950;

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

test('a thousand websites: at least 99 % of what is taken is right, 95 % is found, and no rule is broken', {
  timeout: 600_000,
}, async () => {
  const domains = Array.from({ length: SITES }, (_, index) => `thousand-${index}.example`);
  const visiting: Visiting = {
    names: nameServers(names.server),
    standIn: new URL(sites.url),
    userAgent: 'FairleadBot/1.0 (+https://fairlead.example/)',
    pace: pacePerHost(),
    signal: new AbortController().signal,
    isShared: (host) => /(^|\.)facebook\.com$/.test(host),
    isHeld: async () => false,
  };
  const taken = new Map<string, readonly string[]>();
  const waiting = domains.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const domain of waiting)
        taken.set(
          domain,
          (await visitSite(visiting, `http://${domain}/`)).emails.map(({ email }) => email),
        );
    }),
  );
  const expected = new Map(domains.map((domain) => [domain, plantedSite(domain).expected.email]));
  const all = [...taken].flatMap(([domain, emails]) => emails.map((email) => ({ domain, email })));
  const right = all.filter(({ domain, email }) => expected.get(domain) === email);
  const wanted = [...expected.values()].filter((email) => email !== undefined);
  expect(taken.size).toBe(SITES);
  expect(wanted.length).toBeGreaterThan(SITES / 2);
  expect(right.length / all.length).toBeGreaterThanOrEqual(0.99);
  expect(right.length / wanted.length).toBeGreaterThanOrEqual(0.95);
  expect(visits.filter(isViolation)).toEqual([]);
  expect(tooSoon(visits)).toEqual([]);
});

/** What robots.txt refuses, or what leads into a private network. */
function isViolation({ host, path }: Visit): boolean {
  const name = host.replace(/:\d+$/, '');
  const { kind } = plantedSite(/([^.]+\.example)$/.exec(name)?.[1] ?? name);
  if (!name.endsWith('.example') || name.startsWith('inside.')) return true;
  if (kind === 'private-name') return true;
  if (kind === 'robots-refuse' || kind === 'robots-unreachable') return path !== '/robots.txt';
  return kind === 'robots-hide-contact' && path.startsWith('/contact');
}

/** Requests to a site that came before the second after the last one was over. */
function tooSoon(all: readonly Visit[]): string[] {
  const bySite = Map.groupBy(all, ({ host }) => /([^.]+\.example)/.exec(host)?.[1] ?? host);
  return [...bySite].flatMap(([site, requests]) => {
    const inOrder = requests.toSorted((a, b) => a.startedAt - b.startedAt);
    const isSoon = inOrder.some((one, at) => {
      const before = inOrder[at - 1];
      return before !== undefined && one.startedAt - before.endedAt < LEAST_GAP_MS;
    });
    return isSoon ? [site] : [];
  });
}

function pacePerHost(): Pace {
  const lanes = new Map<string, Promise<unknown>>();
  return (host, gapMs, request) => {
    const before = lanes.get(host) ?? Promise.resolve();
    const own = before.then(request, request);
    const rest = () => sleep(gapMs);
    lanes.set(host, own.then(rest, rest));
    return own;
  };
}
