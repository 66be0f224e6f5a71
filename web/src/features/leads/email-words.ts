import type { EmailStatus } from '#contract/work/email-status.ts';
import { formatDate } from '#web/lib/format/format.ts';

const WORDS: Record<EmailStatus, string> = {
  valid: 'Hunter verified that it can receive mail',
  invalid: 'Hunter found that mail to it bounces',
  accept_all: 'Its domain accepts mail to any address, so Hunter cannot tell whether this one exists',
  webmail: 'It belongs to a webmail service, and Hunter cannot tell whether it exists',
  disposable: 'It belongs to a service for throwaway addresses',
  unknown: 'Hunter could not tell whether it can receive mail',
};

/** What Hunter says of an email, and since when: 'Hunter verified that it can receive mail · Nov 26, 2026'. */
export const emailCheckText = (status: EmailStatus, checkedAt: string | undefined): string =>
  checkedAt === undefined ? WORDS[status] : `${WORDS[status]} · ${formatDate(checkedAt)}`;
