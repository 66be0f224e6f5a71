/** A tag of the simulated CRM. */
export type KeapTag = { id: string; name: string };

const named = ['Fairlead member', 'Newsletter', 'Trial'];
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

/** 600 tags: 1001 “Fairlead member”, 1002 “Newsletter”, 1003 “Trial”, then invented ones. */
export const keapTags: readonly KeapTag[] = Array.from({ length: 600 }, (_, index) => {
  const topic = topics[index % topics.length] ?? '';
  const number = String(Math.floor(index / topics.length) + 1).padStart(2, '0');
  return { id: String(1001 + index), name: named[index] ?? `${topic} ${number}` };
});

/** The contacts of the simulated CRM. `tagIdsOf` returns undefined for an address without one. */
export type KeapContacts = {
  tagIdsOf(email: string): readonly string[] | undefined;
  /** Gives an address other tags than the rule does, or takes its contact away. */
  set(email: string, tagIds: readonly string[] | undefined): void;
};

export function createContacts(): KeapContacts {
  const changed = new Map<string, readonly string[] | undefined>();
  return {
    tagIdsOf(given) {
      const email = given.trim().toLowerCase();
      return changed.has(email) ? changed.get(email) : byRule(email);
    },
    set: (email, tagIds) => void changed.set(email.trim().toLowerCase(), tagIds),
  };
}

/** Everyone is a member, so that ordinary addresses work, but for those whose name says otherwise. */
function byRule(email: string): readonly string[] | undefined {
  const name = email.split('@', 1)[0] ?? '';
  if (/nobody|stranger/.test(name)) return undefined;
  return /untagged/.test(name) ? ['1002'] : ['1001', '1002'];
}
