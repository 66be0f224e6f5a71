import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** Providers that tell what an account has used: Hunter its credits, SearchBug the balance that is left. */
export const METERED_PROVIDERS = ['hunter_io', 'searchbug'] as const;
export type MeteredProvider = (typeof METERED_PROVIDERS)[number];

/**
 * What a provider counted between its last two readings, beside what the ledger holds of the same time.
 * - `first`: one reading only, nothing to compare yet
 * - `agrees`, `drifts`: with calls whose answer was lost counted or not, as it fits
 * - `reset`: a new billing period or a payment lies between; the next comparison counts from here
 */
export const Meter = z.object({
  provider: z.enum(METERED_PROVIDERS),
  state: z.enum(['first', 'agrees', 'drifts', 'reset']),
  readAt: z.string(),
  /** When the reading before was taken. */
  since: z.nullable(z.string()),
  /** Hunter: credits. SearchBug: micro-dollars. `uncertain`: what lost answers may have been charged besides. */
  metered: z.number(),
  booked: z.number(),
  uncertain: z.number(),
});
export type Meter = z.infer<typeof Meter>;

/** The caller's last comparison with each provider, under the key that is connected now. */
export const listMetersEndpoint = endpoint({
  method: 'GET',
  path: '/api/usage/meters',
  reads: true,
  data: z.object({ meters: z.array(Meter), connected: z.array(z.enum(METERED_PROVIDERS)) }),
});

/** Reads a provider's meter, which is free, and compares it with the ledger since the reading before. */
export const readMeterEndpoint = endpoint({
  method: 'POST',
  path: '/api/usage/meters',
  body: z.object({ provider: z.enum(METERED_PROVIDERS) }),
  data: z.object({ meter: Meter }),
});
