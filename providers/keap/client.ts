import type { z } from 'zod/mini';
import { unreadableAnswer } from '#providers/failures.ts';
import { type HttpReply, sendRequest } from '#providers/http.ts';
import { trimBaseUrl } from '#providers/key-text.ts';
import type { Fetch } from '#providers/provider.ts';
import {
  wireContacts,
  wireEmailStatus,
  wireReachable,
  wireRestFailure,
  wireTaggedContacts,
  wireTags,
  wireTokens,
} from './api-types.ts';
import { keapError, keapTokenError } from './errors.ts';

const defaultTimeoutMs = 10_000;
/** The most that REST v2 gives in one page. */
const PAGE_SIZE = 1000;

/** The application that an administrator registered with Keap, and where Keap is. Base URLs are origins with an optional path. */
export type KeapOptions = {
  clientId: string;
  clientSecret: string;
  accountsUrl: string;
  apiUrl: string;
  fetch?: Fetch;
  timeoutMs?: number;
};

/** Speaks Keap's OAuth 2.0 and REST v2. Every call throws ProviderError for anything but a readable answer. */
export function createKeapClient(options: KeapOptions) {
  const api = trimBaseUrl(options.apiUrl);
  const common = {
    provider: 'keap',
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    paid: false,
  } as const;

  async function askForTokens(
    form: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<z.output<typeof wireTokens>> {
    const reply = await sendRequest({
      ...common,
      method: 'POST',
      url: `${api}/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
      signal,
    });
    const secrets = [options.clientSecret, ...Object.values(form), ...Object.values(headers)];
    if (!isSuccess(reply)) throw keapTokenError(reply, secrets);
    return read(wireTokens, reply);
  }

  async function get<T>(
    schema: z.ZodMiniType<T>,
    path: string,
    query: Readonly<Record<string, string>>,
    accessToken: string,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const reply = await ask(path, query, accessToken, signal);
    if (!isSuccess(reply)) throw keapError(reply, [accessToken]);
    return read(schema, reply);
  }

  function ask(
    path: string,
    query: Readonly<Record<string, string>>,
    accessToken: string,
    signal: AbortSignal | undefined,
  ): Promise<HttpReply> {
    const asked = new URLSearchParams(query).toString();
    const url = `${api}/crm/rest/v2/${path}${asked ? `?${asked}` : ''}`;
    const headers = { authorization: `Bearer ${accessToken}` };
    return sendRequest({ ...common, method: 'GET', url, headers, signal });
  }

  return {
    authorizeUrl({ redirectUri, state }: { redirectUri: string; state: string }): string {
      const query = new URLSearchParams({
        client_id: options.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'full',
        state,
      });
      return `${trimBaseUrl(options.accountsUrl)}/app/oauth/authorize?${query}`;
    },

    /** The client's secret goes in the body here, and in a header when tokens are refreshed: so Keap documents it. */
    exchange: ({ code, redirectUri }: { code: string; redirectUri: string }, signal?: AbortSignal) =>
      askForTokens(
        {
          client_id: options.clientId,
          client_secret: options.clientSecret,
          code,
          grant_type: 'authorization_code',
          redirect_uri: redirectUri,
        },
        {},
        signal,
      ),

    refresh(refreshToken: string, signal?: AbortSignal) {
      const basic = Buffer.from(`${options.clientId}:${options.clientSecret}`).toString('base64');
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
      return askForTokens(form, { authorization: `Basic ${basic}` }, signal);
    },

    contacts: (accessToken: string, filter: string, signal?: AbortSignal) =>
      get(
        wireContacts,
        'contacts',
        { filter, fields: 'id,email_addresses,tag_ids', page_size: String(PAGE_SIZE) },
        accessToken,
        signal,
      ),

    tags: (accessToken: string, pageToken: string | undefined, signal?: AbortSignal) =>
      get(
        wireTags,
        'tags',
        { page_size: String(PAGE_SIZE), order_by: 'name asc', ...(pageToken ? { page_token: pageToken } : {}) },
        accessToken,
        signal,
      ),

    taggedContacts: (accessToken: string, tagId: string, pageToken: string | undefined, signal?: AbortSignal) =>
      get(
        wireTaggedContacts,
        `tags/${encodeURIComponent(tagId)}/contacts`,
        { page_size: String(PAGE_SIZE), ...(pageToken ? { page_token: pageToken } : {}) },
        accessToken,
        signal,
      ),

    contactsById: (accessToken: string, filter: string, signal?: AbortSignal) =>
      get(
        wireReachable,
        'contacts',
        { filter, fields: 'id,email_addresses,phone_numbers', page_size: String(PAGE_SIZE) },
        accessToken,
        signal,
      ),

    /** Undefined for an address that Keap does not know: it says so in its own shape, and a gateway would not. */
    async emailStatus(accessToken: string, email: string, signal?: AbortSignal) {
      const reply = await ask(`emailAddresses/${encodeURIComponent(email)}/status`, {}, accessToken, signal);
      if (reply.status === 404 && wireRestFailure.safeParse(reply.json).data?.status === 'NOT_FOUND') return undefined;
      if (!isSuccess(reply)) throw keapError(reply, [accessToken]);
      return read(wireEmailStatus, reply);
    },
  };
}

const isSuccess = ({ status }: HttpReply) => status >= 200 && status <= 299;

function read<T>(schema: z.ZodMiniType<T>, reply: HttpReply): T {
  const parsed = schema.safeParse(reply.json);
  if (!parsed.success) throw unreadableAnswer('keap', reply, false);
  return parsed.data;
}
