import { familyNames, firstNames, slugOf } from '#sandbox/businesses/invented-words.ts';
import { type Random, seededRandom } from '#sandbox/businesses/random.ts';

const leaders = ['Owner', 'Founder & Owner', 'President', 'Co-Owner', 'Managing Partner', 'CEO'] as const;
const staff = [
  ['Office Manager', 'senior', 'management'],
  ['Sales Manager', 'senior', 'sales'],
  ['Service Coordinator', 'junior', 'operations'],
  ['Bookkeeper', 'junior', 'finance'],
  ['Marketing Specialist', 'junior', 'marketing'],
  ['Operations Manager', 'senior', 'operations'],
] as const;
const mailboxes = ['info', 'contact', 'office', 'hello', 'sales'] as const;

/** The invented addresses of a domain, most certain first; always the same for the same domain, none for one in four. */
export function contactsOf(domain: string): Record<string, unknown>[] {
  const random = seededRandom(`hunter|${domain}`);
  if (random.chance(0.25)) return [];
  const used = new Set<string>();
  const contacts = [
    ...(random.chance(0.65) ? [leader(random, domain)] : []),
    ...Array.from({ length: random.below(4) }, () => employee(random, domain)),
    ...(random.chance(0.7) ? [mailbox(random, domain, random.pick(mailboxes))] : []),
  ];
  if (contacts.length === 0) contacts.push(mailbox(random, domain, 'info'));
  return contacts
    .filter(({ value }) => !used.has(value) && used.add(value))
    .sort((a, b) => b.confidence - a.confidence);
}

/** A firm that is named after a family is led by one of it. */
function leader(random: Random, domain: string) {
  const family = familyNames.find((name) => domain.includes(slugOf(name)));
  return person(random, domain, family, [random.pick(leaders), 'executive', 'executive']);
}

const employee = (random: Random, domain: string) => person(random, domain, undefined, random.pick(staff));

function person(
  random: Random,
  domain: string,
  family: string | undefined,
  [position, seniority, department]: readonly [string, string, string],
) {
  const first = random.pick(firstNames);
  const last = family ?? random.pick(familyNames);
  const local = random.pick([
    slugOf(first),
    `${slugOf(first)}.${slugOf(last)}`,
    `${first.charAt(0).toLowerCase()}${slugOf(last)}`,
  ]);
  const known = random.chance(0.9);
  return {
    value: `${local}@${domain}`,
    type: 'personal',
    confidence: 60 + random.below(40),
    first_name: first,
    last_name: last,
    position: known ? position : null,
    seniority: known ? seniority : null,
    department: known ? department : null,
    linkedin: null,
    twitter: null,
    phone_number: null,
    verification: verification(random),
    sources: sourcesOf(domain),
  };
}

function mailbox(random: Random, domain: string, local: string) {
  return {
    value: `${local}@${domain}`,
    type: 'generic',
    confidence: 50 + random.below(45),
    first_name: null,
    last_name: null,
    position: null,
    seniority: null,
    department: 'support',
    linkedin: null,
    twitter: null,
    phone_number: null,
    verification: verification(random),
    sources: [],
  };
}

/** What the verifier says of an email; always the same for the same one. */
export function statusOf(email: string): string {
  const random = seededRandom(`hunter|verify|${email}`);
  const luck = random.next();
  return luck < 0.7 ? 'valid' : luck < 0.85 ? 'accept_all' : luck < 0.92 ? 'unknown' : 'invalid';
}

function verification(random: Random) {
  const luck = random.next();
  if (luck < 0.1) return { date: null, status: null };
  const status = luck < 0.65 ? 'valid' : luck < 0.85 ? 'accept_all' : luck < 0.93 ? 'unknown' : 'invalid';
  return { date: random.chance(0.5) ? '2026-09-02' : '2026-09-02 08:14:55 UTC', status };
}

const sourcesOf = (domain: string) => [
  {
    domain,
    uri: `https://${domain}/about`,
    extracted_on: '2025-11-04',
    last_seen_on: '2026-08-20',
    still_on_page: true,
  },
];
