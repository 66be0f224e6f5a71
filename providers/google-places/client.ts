import { unreadableAnswer } from '#providers/failures.ts';
import { sendRequest } from '#providers/http.ts';
import { sendableKey, trimBaseUrl } from '#providers/key-text.ts';
import type { AdapterOptions } from '#providers/provider.ts';
import { type WireSearch, wireSearch } from './api-types.ts';
import { googleError } from './errors.ts';

/** Google answers a text search within seconds; after this long it will not. */
const defaultTimeoutMs = 20_000;

/** The request body of `places:searchText`. */
export type SearchTextBody = {
  textQuery: string;
  pageSize: number;
  pageToken?: string;
  regionCode?: string;
  languageCode?: string;
  includePureServiceAreaBusinesses?: boolean;
  locationRestriction?: { rectangle: { low: LatLng; high: LatLng } };
};
type LatLng = { latitude: number; longitude: number };

/** `mask` names the fields to return, which decides the price; `paid` says whether that price is above zero. */
export type SearchText = (
  call: { body: SearchTextBody; mask: string; paid: boolean },
  signal?: AbortSignal,
) => Promise<WireSearch>;

/** Speaks `POST /v1/places:searchText`. Every call throws ProviderError for anything but a readable answer. */
export function createGoogleClient(options: AdapterOptions): SearchText {
  const url = `${trimBaseUrl(options.baseUrl)}/v1/places:searchText`;
  return async ({ body, mask, paid }, signal) => {
    const key = sendableKey('google_places', options.apiKey);
    const reply = await sendRequest({
      provider: 'google_places',
      fetch: options.fetch ?? globalThis.fetch,
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', 'x-goog-api-key': key, 'x-goog-fieldmask': mask },
      body: JSON.stringify(body),
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      paid,
      signal,
    });
    if (reply.status < 200 || reply.status > 299) throw googleError(reply, [key]);
    const parsed = wireSearch.safeParse(reply.json);
    if (!parsed.success) throw unreadableAnswer('google_places', reply, paid);
    return parsed.data;
  };
}
