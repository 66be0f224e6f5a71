import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
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

/** A text that is a web address, as it stands there; of other schemes or without a host it is none. */
export function openWebsite(text: string | undefined): string | undefined {
  if (text === undefined || /\s/.test(text)) return undefined;
  if (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) && !/^https?:\/\//i.test(text)) return undefined;
  return websiteDomain(text).kind === 'none' ? undefined : text;
}

const PLAIN_NUMBER = /^\+?[\d\s().\-/]+$/;

/** A text that is a phone number, as it stands there. Plain ones are told by their digits alone: files have millions. */
export function openPhone(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const digits = text.replace(/\D/g, '').length;
  if (PLAIN_NUMBER.test(text)) return digits >= 7 && digits <= 15 ? text : undefined;
  return parsePhoneNumberFromString(text, 'US')?.isPossible() ? text : undefined;
}
