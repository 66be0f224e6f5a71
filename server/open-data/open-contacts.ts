import { firstPhone, namesFax } from '#server/calling/first-phone.ts';
import { websiteDomain } from '#server/websites/website-domain.ts';
import { emailAddress } from '#websites/extract/email-address.ts';

/** Invented places have addresses below this, which no one can own. */
const INVENTED = 'invented.example';

/** The first email address of a text, checked as addresses of websites are. */
export function openEmail(text: string | undefined, website: string | undefined): string | undefined {
  const [first = ''] = (text ?? '').replace(/^\s*mailto:/i, '').split(/[\s,;|?]+/);
  if (!first.includes('@')) return undefined;
  const email = emailAddress(first, INVENTED);
  if (email !== undefined) return email;
  const site = websiteDomain(website ?? null);
  return site.kind === 'own' ? emailAddress(first, site.domain) : undefined;
}

/** A text that is a web address, as it stands there; of other schemes, without a host, or with a password it is none. */
export function openWebsite(text: string | undefined): string | undefined {
  if (text === undefined || /\s/.test(text)) return undefined;
  if (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) && !/^https?:\/\//i.test(text)) return undefined;
  if (/^(?:https?:\/\/)?[^/?#]*@/i.test(text)) return undefined;
  return websiteDomain(text).kind === 'none' ? undefined : text;
}

/** With its country code, in one spelling that all read alike. The library would take a hundred times as long. */
const PLAIN_FOREIGN = /^\+[2-9]\d{0,2} ?[1-9](?:[ .-]?\d){5,11}$/;
/** Words before a number, and one in brackets behind it. */
const AROUND = /^[^\d+(]+|\s*\([^()\d]*\)\s*$/g;

/** The first phone number of a text, as leads have it. A number that is kept as it stands might be none that is suppressed. */
export function openPhone(text: string | undefined): string | undefined {
  if (text === undefined || PLAIN_FOREIGN.test(text)) return text;
  return firstPhone(text) ?? (namesFax(text) ? undefined : firstPhone(text.replace(AROUND, '')));
}
