import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { PROVIDER_IDS } from '#contract/providers.ts';

export const ApiKey = z.object({
  provider: z.enum(PROVIDER_IDS),
  isConnected: z.boolean(),
  keyName: z.nullish(z.string()),
  /** Shows the last four characters, never more. */
  maskedKey: z.nullish(z.string()),
  lastUsed: z.nullish(z.string()),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** Longest key accepted, in characters; real ones have fewer than 100. */
export const API_KEY_MAX_LENGTH = 500;

/** The caller's keys, one entry for each provider of the catalogue. */
export const listKeysEndpoint = endpoint({
  method: 'GET',
  path: '/api/keys',
  reads: true,
  data: z.object({ apiKeys: z.array(ApiKey) }),
});

/** Tests a key with the provider and, with `save`, stores it when it is valid. `testExisting` tests the stored one. */
export const testKeyEndpoint = endpoint({
  method: 'POST',
  path: '/api/keys/test',
  body: z.object({
    provider: z.enum(PROVIDER_IDS),
    apiKey: z.optional(z.string().check(z.trim(), z.maxLength(API_KEY_MAX_LENGTH, 'That is too long for an API key.'))),
    save: z.optional(z.boolean()),
    testExisting: z.optional(z.boolean()),
  }),
  data: z.object({ valid: z.boolean(), error: z.nullish(z.string()), saved: z._default(z.boolean(), false) }),
});

export const deleteKeyEndpoint = endpoint({
  method: 'DELETE',
  path: '/api/keys',
  body: z.object({ provider: z.enum(PROVIDER_IDS) }),
  data: z.object({ provider: z.enum(PROVIDER_IDS) }),
});
