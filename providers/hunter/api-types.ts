import { z } from 'zod/mini';

/** What is used up may be fractional. Plans without credits count searches. */
const used = z.catch(z.optional(z.nullable(z.object({ used: z.number() }))), undefined);
const text = z.catch(z.optional(z.nullable(z.string())), undefined);

/** One address of `GET /v2/domain-search`. Every field but `value` may be null or of a newer kind. */
export const wireEmail = z.object({
  value: z.string(),
  type: text,
  confidence: z.catch(z.optional(z.nullable(z.number())), undefined),
  first_name: text,
  last_name: text,
  position: text,
  seniority: text,
  department: text,
  verification: z.catch(z.optional(z.nullable(z.object({ status: text, date: text }))), undefined),
});
export type WireEmail = z.infer<typeof wireEmail>;

/** `GET /v2/domain-search`. No address is an empty `emails`, never a missing one. */
export const wireDomainSearch = z.object({ data: z.object({ domain: text, emails: z.array(wireEmail) }) });
export type WireDomainSearch = z.infer<typeof wireDomainSearch>;

/** `GET /v2/email-verifier`. */
export const wireVerification = z.object({ data: z.object({ status: z.string(), email: text }) });
export type WireVerification = z.infer<typeof wireVerification>;

/** `GET /v2/email-count`. */
export const wireEmailCount = z.object({ data: z.object({ total: z.number() }) });

/** `GET /v2/account`: who the key belongs to, and when its credits renew. */
export const wireAccount = z.object({
  data: z.object({
    reset_date: text,
    requests: z.catch(z.optional(z.nullable(z.object({ credits: used, searches: used }))), undefined),
  }),
});
export type WireAccount = z.infer<typeof wireAccount>;

/** Every refusal. */
export const wireFailure = z.object({
  errors: z.array(z.object({ id: z.catch(z.string(), ''), details: z.catch(z.string(), '') })),
});
