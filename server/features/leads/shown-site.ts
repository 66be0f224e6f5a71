import { LeadSiteVisit } from '#contract/work/site-visit.ts';
import type { Db } from '#db/connection/client.ts';
import { shownTexts } from '#server/leads/held-cells.ts';

/**
 * What a visit to a website told, as it may be shown: without numbers and addresses that are on the suppression list by now.
 * An answer in a shape that is no longer known counts as no visit.
 */
export async function shownSite(db: Db, stored: unknown): Promise<LeadSiteVisit | null> {
  const site = LeadSiteVisit.safeParse(stored).data;
  if (!site) return null;
  const texts = [...site.emails.map(({ email }) => email), ...site.phones.map(({ phone }) => phone)];
  const shown = new Set(await shownTexts(db, texts));
  const { email, ...rest } = site;
  return {
    ...rest,
    ...(email && shown.has(email.email) ? { email } : {}),
    emails: site.emails.filter((one) => shown.has(one.email)),
    phones: site.phones.filter(({ phone }) => shown.has(phone)),
  };
}
