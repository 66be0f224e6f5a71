import { z } from 'zod/mini';
import { EmailStatus } from '#contract/work/email-status.ts';
import { EMAILS_DAYS } from '#contract/work/retention.ts';
import { prices } from '#providers/prices.ts';
import type { DomainContact } from '#providers/provider.ts';
import type { Operation } from '#server/paid-calls/operation.ts';

const DAY_MS = 86_400_000;
/** Both what was found and that nothing was. */
export const REMEMBER_DOMAIN_MS = EMAILS_DAYS * DAY_MS;
/** How long a domain or an email that the provider did not accept is not looked up again. */
export const REMEMBER_REFUSAL_MS = DAY_MS;

const text = z.optional(z.string());
const Answer = z.object({
  contacts: z.array(
    z.object({
      email: z.string(),
      type: z.enum(['personal', 'generic']),
      confidence: z.number(),
      firstName: text,
      lastName: text,
      position: text,
      seniority: text,
      department: text,
      verification: z.optional(EmailStatus),
      verifiedOn: text,
    }),
  ),
});
export type DomainAnswer = { contacts: DomainContact[] };

/** Subject: the registrable domain. Hunter charges a domain once per billing period, so it may be asked again. */
export const domainSearchOperation: Operation<DomainAnswer> = {
  provider: 'hunter_io',
  name: 'domain_search',
  estimateMicros: prices.hunterDomainMicros,
  readAnswer: (stored) => Answer.safeParse(stored).data as DomainAnswer | undefined,
};
