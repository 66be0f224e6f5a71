import type { Mail } from '#server/mail/mail.ts';
import { productMail } from '#server/mail/product-mail.ts';

/** A list that will be deleted, not before `deletesAt`. */
export type DoomedList = { id: string; name: string; deletesAt: Date };

/** More than these would not be read. */
const NAMED_AT_MOST = 50;

const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Announces the deletion of a person's lists, soonest first, and says how to keep them. */
export function deletionMail(lists: readonly DoomedList[], siteUrl: string): Omit<Mail, 'to'> {
  const one = lists.length === 1;
  const unnamed = lists.length - NAMED_AT_MOST;
  return productMail({
    subject: one ? 'One of your lists will be deleted' : `${lists.length} of your lists will be deleted`,
    paragraphs: [
      one
        ? 'This list is archived. It and its leads will be deleted on the day shown below it.'
        : 'These lists are archived. They and their leads will be deleted on the day shown below each.',
    ],
    items: lists.slice(0, NAMED_AT_MOST).map(({ id, name, deletesAt }) => ({
      label: name.replaceAll(/\s+/gu, ' '),
      link: `${siteUrl}/lists/${id}`,
      note: `Deleted on ${dates.format(deletesAt)}`,
    })),
    afterItems: [
      ...(unnamed > 0 ? [`And ${unnamed} more; your archived lists show them all.`] : []),
      `To keep ${one ? 'it' : 'a list'}, open its menu and choose Restore List before that day. A restored list stays active for 30 days. Or export it as CSV first.`,
    ],
    button: { label: 'See archived lists', link: `${siteUrl}/?view=archived` },
    notes: ['You get this email once each time a list is archived.'],
    siteUrl,
  });
}
