import { type Random, seededRandom } from '#sandbox/businesses/random.ts';

/** How a site gives its address away, or does not. The number: how many of a thousand sites are of the kind. */
const KINDS = {
  'mailto-home': 110,
  'mailto-contact': 150,
  'nested-contact': 60,
  cloudflare: 60,
  entities: 60,
  spelled: 50,
  'json-ld': 50,
  'text-contact': 60,
  freemail: 40,
  'moved-to-www': 30,
  'legal-page': 30,
  endless: 10,
  'robots-allow-contact': 20,
  'no-address': 60,
  'social-only': 40,
  'leads-to-facebook': 20,
  'robots-refuse': 30,
  'robots-unreachable': 10,
  'robots-hide-contact': 10,
  blocked: 20,
  'no-such-name': 20,
  'name-unknown': 5,
  'server-error': 10,
  'redirect-private': 20,
  'redirect-to-private-name': 10,
  'private-name': 5,
  'redirect-loop': 5,
  bomb: 5,
  slow: 2,
  notice: 30,
  placeholders: 20,
  'refuses-mail': 8,
} as const;
export type SiteKind = keyof typeof KINDS;

/** Where a visit ends, in the words of the visitor. */
type PlantedStatus = 'found' | 'nothing' | 'refused_by_robots' | 'blocked' | 'unreachable' | 'social_only';

export type PlantedSite = {
  domain: string;
  kind: SiteKind;
  /** What stands on the site, for anyone who may read it. */
  email: string;
  /** What a visitor who keeps the rules comes back with. */
  expected: { status: PlantedStatus; email: string | undefined; notice: boolean };
  /** Whether the page names who made it, as many do. */
  credit: boolean;
  phone: string;
};

const STATUS: Partial<Record<SiteKind, PlantedStatus>> = {
  'no-address': 'nothing',
  'social-only': 'nothing',
  'leads-to-facebook': 'social_only',
  'robots-refuse': 'refused_by_robots',
  'robots-unreachable': 'refused_by_robots',
  'robots-hide-contact': 'nothing',
  blocked: 'blocked',
  'no-such-name': 'unreachable',
  'name-unknown': 'unreachable',
  'server-error': 'unreachable',
  'redirect-private': 'blocked',
  'redirect-to-private-name': 'blocked',
  'private-name': 'blocked',
  'redirect-loop': 'unreachable',
  bomb: 'nothing',
  slow: 'unreachable',
  notice: 'nothing',
  placeholders: 'nothing',
};
const MAILBOXES = ['info', 'contact', 'office', 'hello', 'sales'] as const;
const TOTAL = Object.values(KINDS).reduce((sum, weight) => sum + weight, 0);

/** What the website of a domain is like. */
export function plantedSite(domain: string): PlantedSite {
  const random = seededRandom(`website|${domain}`);
  const kind = kindBy(random);
  const local = random.pick(MAILBOXES);
  const email = kind === 'freemail' ? `${domain.split('.')[0]?.replaceAll('-', '.')}@gmail.com` : `${local}@${domain}`;
  const status = STATUS[kind] ?? 'found';
  return {
    domain,
    kind,
    email,
    expected: { status, email: status === 'found' ? email : undefined, notice: kind === 'notice' },
    credit: random.chance(0.2),
    phone: `+1217555${String(100 + random.below(100)).padStart(4, '0')}`,
  };
}

function kindBy(random: Random): SiteKind {
  let left = random.next() * TOTAL;
  for (const [kind, weight] of Object.entries(KINDS) as [SiteKind, number][]) {
    left -= weight;
    if (left < 0) return kind;
  }
  return 'no-address';
}
