import { z } from 'zod/mini';

// A field that is absent or not as documented is left out rather than failing the whole page.
const text = z.catch(z.optional(z.string()), undefined);
const flag = z.catch(z.optional(z.boolean()), undefined);
const number = z.catch(z.optional(z.number()), undefined);

/** A place as `places:searchText` sends it. Every field but `id` may be absent; enum values may be new ones. */
export const wirePlace = z.object({
  id: z.string().check(z.minLength(1)),
  displayName: z.catch(z.optional(z.object({ text })), undefined),
  formattedAddress: text,
  location: z.catch(z.optional(z.object({ latitude: number, longitude: number })), undefined),
  types: z.catch(z.optional(z.array(z.string())), undefined),
  businessStatus: text,
  pureServiceAreaBusiness: flag,
  nationalPhoneNumber: text,
  internationalPhoneNumber: text,
  websiteUri: text,
});
export type WirePlace = z.infer<typeof wirePlace>;

/** The answer to `places:searchText`; `{}` means no result. */
export const wireSearch = z.object({ places: z.optional(z.array(wirePlace)), nextPageToken: z.optional(z.string()) });
export type WireSearch = z.infer<typeof wireSearch>;

/** google.rpc.Status, as every refusal carries it. */
export const wireFailure = z.object({
  error: z.object({
    message: z.catch(z.string(), ''),
    status: z.catch(z.string(), ''),
    details: z.catch(
      z.array(
        z.object({
          reason: text,
          metadata: z.catch(z.optional(z.object({ quota_unit: text })), undefined),
          retryDelay: text,
        }),
      ),
      [],
    ),
  }),
});
export type WireFailure = z.infer<typeof wireFailure>['error'];
