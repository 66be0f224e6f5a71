import { z } from 'zod/mini';

const text = z.catch(z.optional(z.nullable(z.string())), undefined);
/** Text in REST v2; a number would be v1's. */
const id = z.pipe(
  z.union([z.string().check(z.minLength(1)), z.number()]),
  z.transform((value) => String(value)),
);

/** Fit for a header. */
const token = z.string().check(z.regex(/^[\x21-\x7e]{1,4000}$/));

/** Gateways like Keap's also write it as text. An answer that is not understood loses the connection: the token before is spent. */
const seconds = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^\d{1,9}$/))]),
  z.pipe(z.transform(Number), z.number().check(z.positive())),
);

/** `POST /token`. */
export const wireTokens = z.object({ access_token: token, refresh_token: token, expires_in: seconds, scope: text });

/** `GET /crm/rest/v2/contacts`, with the fields that are asked for. */
export const wireContacts = z.object({
  contacts: z.array(
    z.object({
      id,
      email_addresses: z.catch(z.optional(z.nullable(z.array(z.object({ email: text })))), undefined),
      tag_ids: z.optional(z.nullable(z.array(id))),
    }),
  ),
});

/** `GET /crm/rest/v2/tags`. */
export const wireTags = z.object({
  tags: z.array(z.object({ id, name: text })),
  next_page_token: text,
});

/** `GET /crm/rest/v2/tags/{tag_id}/contacts`. */
export const wireTaggedContacts = z.object({
  contacts: z.array(z.object({ id })),
  next_page_token: text,
});

/** Whatever stands there: what is left out here would be people who are not held back. */
const anything = z.pipe(
  z.unknown(),
  z.transform((value) => (typeof value === 'string' ? value : value === null ? undefined : JSON.stringify(value))),
);

/** `GET /crm/rest/v2/contacts` by ids, with the fields that are asked for. */
export const wireReachable = z.object({
  contacts: z.array(
    z.object({
      id,
      email_addresses: z.optional(z.nullable(z.array(z.object({ email: z.optional(anything) })))),
      phone_numbers: z.optional(
        z.nullable(
          z.array(z.object({ number: z.optional(anything), number_e164: z.optional(anything), extension: text })),
        ),
      ),
    }),
  ),
});

/** `GET /crm/rest/v2/emailAddresses/{email}/status`. */
export const wireEmailStatus = z.object({
  email: z.string(),
  opted_in: z.optional(z.nullable(z.boolean())),
  status: z.string().check(z.minLength(1), z.maxLength(100)),
});

/** Who refused decides the shape: the gateway, REST v2, REST v1, or the token endpoint. */
export const wireGatewayFault = z.object({
  fault: z.object({ faultstring: z.string(), detail: z.catch(z.optional(z.object({ errorcode: text })), undefined) }),
});
export const wireRestFailure = z.object({
  message: z.string(),
  code: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  status: text,
});
export const wireOauthFailure = z.object({ error: z.string(), error_description: text });
