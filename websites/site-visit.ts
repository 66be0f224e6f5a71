/**
 * How a visit to a website ended.
 * - `unreadable`: what it says could not be stored
 * - `social_only`: it leads to a page on a social network or another host of many
 * - `suppressed`: it leads to a domain on the suppression list, which is not asked
 */
export const SITE_STATUSES = [
  'found',
  'nothing',
  'refused_by_robots',
  'blocked',
  'unreachable',
  'unreadable',
  'social_only',
  'suppressed',
] as const;
export type SiteStatus = (typeof SITE_STATUSES)[number];

/** Something that a page says, and the address of that page. */
export type OnPage<Value> = Value & { page: string };

/** What a visit brought. `emails`: best first. */
export type SiteVisit = {
  status: SiteStatus;
  /** Set where the site leads to another domain, or beside itself on its own: what that says counts for the businesses of the visit, and for no others. */
  isByName?: true;
  emails: OnPage<{ email: string }>[];
  phones: OnPage<{ phone: string }>[];
  profiles: OnPage<{ profile: string }>[];
  /** The words that refuse the taking of addresses. Where there are any, none is taken. */
  notice?: OnPage<{ words: string }>;
};
