import { z } from 'zod/mini';

/** What Hunter says of an email. */
export const EMAIL_STATUSES = ['valid', 'invalid', 'accept_all', 'webmail', 'disposable', 'unknown'] as const;
export const EmailStatus = z.enum(EMAIL_STATUSES);
export type EmailStatus = z.infer<typeof EmailStatus>;

/** What it is called, on screens and in files. */
export const EMAIL_STATUS_LABEL: Record<EmailStatus, string> = {
  valid: 'Verified',
  invalid: 'Not valid',
  accept_all: 'Accepts all',
  webmail: 'Webmail',
  disposable: 'Disposable',
  unknown: 'Unclear',
};
