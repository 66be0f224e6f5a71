import { z } from 'zod/mini';

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

/** Whether a domain takes mail: it names mail servers, its address stands in, it says that it takes none, it cannot, or no one knows. */
export const MAIL_STATES = ['accepts', 'implicit', 'refuses', 'none', 'unknown'] as const;

const onPage = { page: z.string() };
const SiteEmail = z.object({ email: z.string(), mail: z.enum(MAIL_STATES), ...onPage });

/** What a business's own website told, each value with the address of the page it stood on. */
export const SiteAnswer = z.object({
  status: z.enum(SITE_STATUSES),
  /** The best address that can take mail. */
  email: z.optional(SiteEmail),
  /** All addresses, best first. */
  emails: z.array(SiteEmail),
  phones: z.array(z.object({ phone: z.string(), ...onPage })),
  profiles: z.array(z.object({ profile: z.string(), ...onPage })),
  /** The words by which the site refuses the taking of its addresses. None is taken then. */
  notice: z.optional(z.object({ words: z.string(), ...onPage })),
});
export type SiteAnswer = z.infer<typeof SiteAnswer>;

/** The same with the time of the visit. */
export const LeadSiteVisit = z.extend(SiteAnswer, { at: z.string() });
export type LeadSiteVisit = z.infer<typeof LeadSiteVisit>;
