import { HONOR_BUSINESS_DAYS, honorBy, honorCitations } from '#contract/calling/honor-clock.ts';
import type { Mail } from '#server/mail/mail.ts';
import { productMail } from '#server/mail/product-mail.ts';
import type { ErasureNotice } from './erasure-notice.ts';

/** More than these would not be read. */
export const NAMED_AT_MOST = 50;

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * Tells someone that files they exported hold contacts who asked to be left alone, and until when those may be in use. `erased`: the
 * list shows them no more.
 */
export function noticeMail(
  contacts: readonly ErasureNotice[],
  siteUrl: string,
  { erased = false }: { erased?: boolean } = {},
): Omit<Mail, 'to'> {
  const one = contacts.length === 1;
  const unnamed = contacts.length - NAMED_AT_MOST;
  const laws = [...new Set(contacts.flatMap(({ kind }) => honorCitations(kind)))].toSorted().toReversed();
  return productMail({
    subject: one
      ? 'A contact in your exports must not be contacted anymore'
      : `${contacts.length} contacts in your exports must not be contacted anymore`,
    paragraphs: [
      erased
        ? `${one ? 'This contact was' : 'These contacts were'} erased from Fairlead, and ${one ? 'is' : 'are'} in files that you exported before.`
        : `${one ? 'This contact is' : 'These contacts are'} on the suppression list now, and in files that you exported before.`,
      `Fairlead holds ${one ? 'it' : 'them'} back at once. Your files do not know about it: remove ${one ? 'it' : 'them'} from every dialer, mailing tool and spreadsheet that uses them.`,
    ],
    items: contacts.slice(0, NAMED_AT_MOST).map(({ value, askedAt, fileName, exportedAt }) => ({
      label: value,
      link: erased ? `${siteUrl}/suppressions` : `${siteUrl}/suppressions?q=${encodeURIComponent(value)}`,
      note: `In “${fileName.replaceAll(/\s+/gu, ' ')}” of ${days.format(exportedAt)}. Last day by law: ${days.format(new Date(honorBy(askedAt.toISOString())))}.`,
    })),
    afterItems: [
      ...(unnamed > 0 ? [`And ${unnamed} more; the suppression list shows them all.`] : []),
      `Stop at once. The last day by law is ${HONOR_BUSINESS_DAYS} business days after the request (${laws.join(' and ')}).`,
    ],
    button: { label: 'Open the suppression list', link: `${siteUrl}/suppressions` },
    notes: ['You get this email once for each contact.'],
    siteUrl,
  });
}
