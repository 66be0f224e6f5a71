import { HONOR_CITATION, honorBy } from '#contract/calling/honor-clock.ts';
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
  return productMail({
    subject: one
      ? 'A contact in your exports must not be contacted any more'
      : `${contacts.length} contacts in your exports must not be contacted any more`,
    paragraphs: [
      erased
        ? `${one ? 'This contact was' : 'These contacts were'} erased from Fairlead, and ${one ? 'is' : 'are'} in files that you exported before.`
        : `${one ? 'This contact is' : 'These contacts are'} on the suppression list now, and in files that you exported before.`,
      `Fairlead holds ${one ? 'it' : 'them'} back at once. Your files do not know of it: remove ${one ? 'it' : 'them'} from every dialer, mailing tool and spreadsheet that uses them.`,
    ],
    items: contacts.slice(0, NAMED_AT_MOST).map(({ value, addedAt, fileName, exportedAt }) => ({
      label: value,
      link: erased ? `${siteUrl}/suppressions` : `${siteUrl}/suppressions?q=${encodeURIComponent(value)}`,
      note: `In “${fileName.replaceAll(/\s+/gu, ' ')}” of ${days.format(exportedAt)}. Stop by ${days.format(new Date(honorBy(addedAt.toISOString())))}.`,
    })),
    afterItems: [
      ...(unnamed > 0 ? [`And ${unnamed} more; the suppression list shows them all.`] : []),
      `The law gives 10 business days (${HONOR_CITATION}).`,
    ],
    button: { label: 'Open the suppression list', link: `${siteUrl}/suppressions` },
    notes: ['You get this email once for each contact.'],
    siteUrl,
  });
}
