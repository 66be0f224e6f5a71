import type { LeadSiteVisit, SiteAnswer } from '#contract/work/site-visit.ts';

type MailState = SiteAnswer['emails'][number]['mail'];

const STATUS: Record<SiteAnswer['status'], string> = {
  found: 'An email address was found.',
  nothing: 'No email address was found.',
  refused_by_robots: 'Its robots.txt refuses our visits, or could not be read, so the site was not read.',
  blocked: 'It blocked our visit.',
  unreachable: 'It could not be reached.',
  unreadable: 'What it says could not be read.',
  social_only: 'It is only a page on a social network or a shared site.',
  suppressed: 'It leads to a domain on the suppression list, so it was not read.',
};

/** How the visit to a website ended. */
export function siteStatusText({
  status,
  email,
  emails,
  notice,
}: Omit<LeadSiteVisit, 'phones' | 'profiles' | 'at'>): string {
  if (notice && emails.length === 0) return 'No email address was taken, and Hunter is not asked.';
  if (status === 'found' && !email && emails.length > 0)
    return 'An email address was found, but it cannot receive mail.';
  return STATUS[status];
}

const MAIL: Record<MailState, string> = {
  accepts: 'Its domain receives mail.',
  implicit: 'Its domain names no mail server, but may still receive mail.',
  refuses: 'Its domain takes no mail (null MX).',
  none: 'Its domain has no mail server.',
  unknown: 'Whether its domain receives mail is not known.',
};

/** Whether mail to an address can arrive. */
export const mailText = (state: MailState): string => MAIL[state];

export const NOTICE = 'This site says its addresses must not be collected. None was taken.';
