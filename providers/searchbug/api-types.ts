import { z } from 'zod/mini';

const text = z.catch(z.optional(z.nullable(z.string())), undefined);
/** Amounts are documented as strings; a number is read as well. */
const amount = z.catch(z.optional(z.nullable(z.union([z.string(), z.number()]))), undefined);

/** What SearchBug says about one number. */
export const wirePhone = z.object({ NUMBER: text, DNC: text, TCPA: text, TYPE: text, VOIP: text });
export type WirePhone = z.infer<typeof wirePhone>;

const wireData = z.object({
  /** An object for one number, an array for several. */
  PHONE: z.optional(z.unknown()),
  STATS: z.catch(z.optional(z.nullable(z.object({ RATE: amount, BALANCE: amount }))), undefined),
  RATE: amount,
  BALANCE: amount,
});

/** Every JSON answer, successful or not. */
export const wireAnswer = z.object({
  Status: z.string(),
  Error: z.optional(z.unknown()),
  Data: z.catch(z.optional(z.nullable(wireData)), undefined),
});
export type WireAnswer = z.infer<typeof wireAnswer>;
