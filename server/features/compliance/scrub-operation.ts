import { z } from 'zod/mini';
import { VERDICT_DAYS } from '#contract/work/retention.ts';
import { prices } from '#providers/prices.ts';
import type { PhoneVerdict } from '#providers/provider.ts';
import type { Operation } from '#server/paid-calls/operation.ts';

const DAY_MS = 86_400_000;

/** How long a verdict may be used, in ms. */
export function rememberVerdict(status: PhoneVerdict['status']): number | 'for good' {
  switch (status) {
    case 'litigator':
      return 'for good';
    case 'not_checked':
      // No verdict at all: remembered only so that a second press of the button does not pay again.
      return DAY_MS;
    default:
      return VERDICT_DAYS * DAY_MS;
  }
}

const Verdict = z.object({
  number: z.string(),
  status: z.enum(['safe', 'dnc', 'litigator', 'not_checked']),
  codes: z.optional(z.string()),
  lineType: z.optional(z.enum(['mobile', 'landline', 'voip'])),
});

/** Subject: the 10 digits. SearchBug charges every number every time. */
export const scrubOperation: Operation<PhoneVerdict> = {
  provider: 'searchbug',
  name: 'phone_scrub',
  estimateMicros: prices.searchbugNumberMicros,
  readAnswer: (stored) => Verdict.safeParse(stored).data as PhoneVerdict | undefined,
};
