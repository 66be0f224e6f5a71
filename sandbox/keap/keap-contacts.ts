/** A tag of the simulated CRM. */
export type KeapTag = { id: string; name: string };

const named = ['Fairlead member', 'Newsletter', 'Trial', 'Do not contact'];
const topics = [
  'Webinar',
  'Campaign',
  'Customer',
  'Partner',
  'Event',
  'Course',
  'Region',
  'Referral',
  'Survey',
  'Season',
];

/** 600 tags: 1001 “Fairlead member”, 1002 “Newsletter”, 1003 “Trial”, 1004 “Do not contact”, then invented ones. */
export const keapTags: readonly KeapTag[] = Array.from({ length: 600 }, (_, index) => {
  const topic = topics[index % topics.length] ?? '';
  const number = String(Math.floor(index / topics.length) + 1).padStart(2, '0');
  return { id: String(1001 + index), name: named[index] ?? `${topic} ${number}` };
});

/** Someone in the simulated CRM who can be found by tag and id. */
export type KeapPerson = { id: string; emails: string[]; phones: string[]; tagIds: string[] };

/** Who asked this firm to be left alone before Fairlead was connected. */
const people: readonly KeapPerson[] = [
  { id: '7001', emails: ['olive@leave-me.example'], phones: ['(303) 555-0181'], tagIds: ['1004'] },
  { id: '7002', emails: ['pat@leave-me.example', 'pat.private@gmail.com'], phones: [], tagIds: ['1002', '1004'] },
  { id: '7003', emails: [], phones: ['303.555.0182 ext 4'], tagIds: ['1004'] },
];

/** The contacts of the simulated CRM. `tagIdsOf` returns undefined for an address without one. */
export type KeapContacts = {
  tagIdsOf(email: string): readonly string[] | undefined;
  /** Gives an address other tags than the rule does, or takes its contact away. */
  set(email: string, tagIds: readonly string[] | undefined): void;
  /** Everyone who can be found by tag and id. */
  people(): readonly KeapPerson[];
  add(...more: readonly KeapPerson[]): void;
  /** Undefined for an address that the CRM does not know. */
  statusOf(email: string): string | undefined;
  setStatus(email: string, status: string | undefined): void;
};

export function createContacts(): KeapContacts {
  const changed = new Map<string, readonly string[] | undefined>();
  const statuses = new Map<string, string | undefined>();
  const all = [...people];
  return {
    tagIdsOf(given) {
      const email = given.trim().toLowerCase();
      return changed.has(email) ? changed.get(email) : byRule(email);
    },
    set: (email, tagIds) => void changed.set(email.trim().toLowerCase(), tagIds),
    people: () => all,
    add: (...more) => void all.push(...more),
    statusOf(given) {
      const email = given.trim().toLowerCase();
      return statuses.has(email) ? statuses.get(email) : statusByRule(email);
    },
    setStatus: (email, status) => void statuses.set(email.trim().toLowerCase(), status),
  };
}

/** Everyone is a member, so that ordinary addresses work, but for those whose name says otherwise. */
function byRule(email: string): readonly string[] | undefined {
  const name = email.split('@', 1)[0] ?? '';
  if (/nobody|stranger/.test(name)) return undefined;
  return /untagged/.test(name) ? ['1002'] : ['1001', '1002'];
}

/** Leads are strangers to a CRM, but for those whose name says otherwise. */
function statusByRule(email: string): string | undefined {
  const name = email.split('@', 1)[0] ?? '';
  if (/unsubscribed/.test(name)) return 'LIST_UNSUBSCRIBE';
  if (/bounced/.test(name)) return 'HARD_BOUNCE';
  return /subscriber/.test(name) ? 'SINGLE_OPT_IN' : undefined;
}
