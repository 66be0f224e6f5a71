import { z } from 'zod/mini';
import { endpoint, looseId, looseNumber } from '#contract/endpoint.ts';

/** Tags are fetched in pages of this many until a page has fewer (spec section 9). */
export const CRM_TAGS_PAGE_SIZE = 250;
/** Where the CRM sends the administrator's browser back to; registered with the CRM's application. */
export const CRM_OAUTH_CALLBACK_PATH = '/api/admin/keap/oauth/callback';

/**
 * Why connecting failed. The callback leads to `/admin/settings?keap=connected`, or to `?keap=failed&reason=` one of these:
 * - `denied`: the administrator, or the CRM, said no
 * - `expired`: ten minutes passed, or this answer was used already
 * - `session`: another browser came back than went out, or its administrator's session has ended
 * - `credentials`: other credentials were saved in the meantime
 * - `refused`: the CRM did not accept the credentials
 * - `unreachable`: the CRM did not answer
 */
export const CRM_CONNECT_FAILURES = ['denied', 'expired', 'session', 'credentials', 'refused', 'unreachable'] as const;
export type CrmConnectFailure = (typeof CRM_CONNECT_FAILURES)[number];

/** A tag as the CRM or a browser may write it; ids are kept as text. */
const LooseTag = z.pipe(
  z.union([
    z.object({ tag_id: looseId, tag_name: z.string().check(z.maxLength(500)) }),
    z.object({ id: looseId, name: z.string().check(z.maxLength(500)) }),
  ]),
  z.transform((tag) => ('tag_id' in tag ? tag : { tag_id: tag.id, tag_name: tag.name })),
);

export const CrmTag = z.object({ tag_id: z.string(), tag_name: z.string() });
export type CrmTag = z.infer<typeof CrmTag>;

/** `masked_client_id` and `updated_at` are null until credentials are saved. */
const CrmCredentialsStatus = z.object({
  configured: z.boolean(),
  masked_client_id: z.nullable(z.string()),
  updated_at: z.nullable(z.string()),
});

/**
 * `masked` stands for the access token; `expired`: an administrator must connect again.
 * - `tags_of_before`: names of required tags that were chosen in the account that was connected before; unset without any.
 */
export const CrmConnectionStatus = z.object({
  connected: z.boolean(),
  masked: z.nullable(z.string()),
  updated_at: z.nullable(z.string()),
  expired: z.boolean(),
  tags_of_before: z.optional(z.array(z.string())),
});
export type CrmConnectionStatus = z.infer<typeof CrmConnectionStatus>;

/** What the CRM says of one address now: ANY required tag grants access. */
export const CrmAccess = z.object({
  has_any: z.boolean(),
  required: z.array(CrmTag),
  matches: z.array(z.object({ tag_id: z.string() })),
});
export type CrmAccess = z.infer<typeof CrmAccess>;

const admin = 'admin';

export const crmCredentialsStatusEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/keap/credentials-status',
  reads: true,
  access: admin,
  data: CrmCredentialsStatus,
});

/** Saving other credentials ends the connection. */
export const saveCrmCredentialsEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin/keap/save-credentials',
  access: admin,
  freshProof: true,
  body: z.object({
    client_id: z.string().check(z.trim(), z.minLength(1, 'Client ID and Client Secret are required'), z.maxLength(500)),
    client_secret: z
      .string()
      .check(z.trim(), z.minLength(1, 'Client ID and Client Secret are required'), z.maxLength(500)),
  }),
  data: CrmCredentialsStatus,
});

export const crmStatusEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/keap/status',
  access: admin,
  data: CrmConnectionStatus,
});

/**
 * Where the administrator's browser goes to grant access.
 * @throws CONFLICT until credentials are saved
 */
export const startCrmOauthEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/keap/oauth/start',
  access: admin,
  freshProof: true,
  data: z.object({ authorize_url: z.nullish(z.string()) }),
});

/** Forgets the tokens, keeps credentials and required tags. From then on the CRM no longer decides who gets in. */
export const disconnectCrmEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin/keap/disconnect',
  access: admin,
  freshProof: true,
  data: CrmConnectionStatus,
});

/**
 * One page of the CRM's tags.
 * @throws CONFLICT while no CRM is connected
 */
export const listCrmTagsEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/keap/tags',
  access: admin,
  query: z.object({ offset: z._default(looseNumber, 0), limit: z._default(looseNumber, CRM_TAGS_PAGE_SIZE) }),
  data: z.object({ items: z.array(CrmTag) }),
});

export const listRequiredTagsEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/keap/required-tags-list',
  reads: true,
  access: admin,
  data: z.object({ items: z.array(CrmTag) }),
});

/** Adds to what is required already. */
export const addRequiredTagsEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin/keap/required-tags',
  access: admin,
  freshProof: true,
  body: z.object({ tags: z.array(LooseTag).check(z.minLength(1, 'Select at least one tag'), z.maxLength(1000)) }),
  data: z.object({ items: z.array(CrmTag) }),
});

export const deleteRequiredTagEndpoint = endpoint({
  method: 'DELETE',
  path: '/api/admin/keap/required-tags-delete',
  access: admin,
  freshProof: true,
  query: z.object({ tag_id: looseId }),
  data: z.object({ items: z.array(CrmTag) }),
});

/** @throws CONFLICT while no CRM is connected; PROVIDER_FAILED and its kin when it cannot be asked */
export const crmUserAccessEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/keap/user-access',
  access: admin,
  query: z.object({ email: z.string().check(z.trim(), z.minLength(1), z.maxLength(254)) }),
  data: CrmAccess,
});
