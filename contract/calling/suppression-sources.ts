import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { STOP_KINDS } from './stop-page.ts';

/**
 * Where suppressions come from besides people who work here. Administrators choose.
 * - `publicPage`: strangers may suppress their own number or address at /stop.
 * - `crmStatuses`: addresses that Keap may not mail anymore are taken over.
 * - `crmTag`: contacts of Keap that hold it are taken over; null for none.
 */
const SuppressionSettings = z.object({
  publicPage: z.boolean(),
  crmStatuses: z.boolean(),
  crmTag: z.nullable(
    z.object({ id: z.string().check(z.minLength(1), z.maxLength(100)), name: z.string().check(z.maxLength(500)) }),
  ),
});
export type SuppressionSettings = z.infer<typeof SuppressionSettings>;

/**
 * The pull of opt-outs from Keap.
 * - `state`: `off` while nothing is to be pulled, `not_connected` while Keap is not.
 * - `sandbox`: the simulated Keap is connected, which takes no one over by a tag.
 * - `failure`: why the last pull did not end well, in words. Then what it brought is not all there is.
 * - `leftOut`: what it could not read or ask about, in words with examples.
 * - `tagBefore`: the tag that was chosen in the account that was connected before, and counts no more.
 * - `completeAt`: when one last ended well. `contacts`, `addresses` and `added` are of the last one.
 */
export const CrmPull = z.object({
  state: z.enum(['off', 'not_connected', 'idle', 'waiting', 'running']),
  sandbox: z.boolean(),
  startedAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
  completeAt: z.nullable(z.string()),
  failure: z.nullable(z.string()),
  leftOut: z.nullable(z.string()),
  tagBefore: z.nullable(z.string()),
  contacts: z.number(),
  addresses: z.number(),
  added: z.number(),
});
export type CrmPull = z.infer<typeof CrmPull>;

/** A number or address that someone entered at /stop and no code could confirm. `at` is ISO. */
export const StopRequest = z.object({ id: z.string(), kind: z.enum(STOP_KINDS), value: z.string(), at: z.string() });
export type StopRequest = z.infer<typeof StopRequest>;

/** Requests that are shown at a time: first the oldest of each network, so that one network does not hide those of others. */
export const STOP_REQUESTS_SHOWN = 100;
/** Requests that wait at a time. Beyond them none is taken, and those who ask are told. */
export const MOST_STOP_REQUESTS = 10_000;

const Sources = z.object({
  settings: SuppressionSettings,
  pull: CrmPull,
  requests: z.object({ items: z.array(StopRequest), total: z.number() }),
  erased: z.number(),
});
export type SuppressionSources = z.infer<typeof Sources>;

/** All of it at once. `erased`: how many contacts were erased. */
export const suppressionSourcesEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/suppressions',
  access: 'admin',
  data: Sources,
});

/**
 * Changes what is named, and leaves all else as it is. `crmTagWas`: the id of the tag that the caller saw, null for none. Where another
 * is chosen meanwhile, that one stays.
 */
export const saveSuppressionSettingsEndpoint = endpoint({
  method: 'PUT',
  path: '/api/admin/suppressions',
  access: 'admin',
  body: z.extend(z.partial(SuppressionSettings), { crmTagWas: z.optional(z.nullable(z.string())) }),
  data: SuppressionSettings,
});

/** Asks for a pull now; it begins within seconds. */
export const pullCrmEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin/suppressions/pull',
  access: 'admin',
  data: CrmPull,
});

/** Suppresses the number or address, or lets the request go. `decided`: false where someone else has. */
export const decideStopRequestEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin/suppressions/requests/:id',
  access: 'admin',
  query: z.object({ id: z.uuid('This is not the id of a request.') }),
  body: z.object({ suppress: z.boolean() }),
  data: z.object({ decided: z.boolean() }),
});

/** What can be erased: what belongs to a person or a sole trader. */
export const ERASABLE_KINDS = ['phone', 'email', 'business'] as const;

/**
 * Erases a contact for good: from every list, entry, note, remembered answer and kept file. A keyed hash stays, so that it cannot come back.
 * - `leads`: how many leads were deleted. `files`: how many kept exports will be removed.
 * - `exports`: how many past exports held the contact. Their owners are told.
 */
export const eraseContactEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin/suppressions/erase',
  access: 'admin',
  freshProof: true,
  body: z.object({
    kind: z.enum(ERASABLE_KINDS),
    value: z.string().check(z.trim(), z.minLength(1, 'Enter what is to be erased.'), z.maxLength(320)),
  }),
  data: z.object({ leads: z.number(), files: z.number(), exports: z.number(), known: z.boolean() }),
});
