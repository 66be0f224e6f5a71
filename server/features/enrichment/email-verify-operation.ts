import { z } from 'zod/mini';
import { EMAIL_STATUSES } from '#contract/work/email-status.ts';
import { EMAIL_CHECK_DAYS } from '#contract/work/retention.ts';
import { prices } from '#providers/prices.ts';
import type { Operation } from '#server/paid-calls/operation.ts';

const HOUR_MS = 3_600_000;
export const REMEMBER_CHECK_MS = EMAIL_CHECK_DAYS * 24 * HOUR_MS;
/** Hunter asks to wait an hour before verifying an email again that it has no result for. */
export const REMEMBER_PENDING_MS = HOUR_MS;

const Answer = z.object({ status: z.enum([...EMAIL_STATUSES, 'pending']) });
export type EmailAnswer = z.infer<typeof Answer>;

/** Subject: the email in lower case. Hunter charges an email once per billing period, so it may be asked again. */
export const emailVerifyOperation: Operation<EmailAnswer> = {
  provider: 'hunter_io',
  name: 'email_verify',
  estimateMicros: prices.hunterVerificationMicros,
  readAnswer: (stored) => Answer.safeParse(stored).data,
};
