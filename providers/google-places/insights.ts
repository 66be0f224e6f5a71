import { z } from 'zod/mini';
import { unreadableAnswer } from '#providers/failures.ts';
import { sendRequest } from '#providers/http.ts';
import { sendableKey, trimBaseUrl } from '#providers/key-text.ts';
import type { AdapterOptions, CountedArea, PlaceFinder } from '#providers/provider.ts';
import { googleError } from './errors.ts';

/** A count of a state takes Google longer than a search. */
const TIMEOUT_MS = 60_000;

/** `count` is a 64-bit number as text, and absent where there is none. */
const Insights = z.object({ count: z.optional(z.string().check(z.regex(/^\d{1,15}$/))) });

/** Speaks `POST /v1:computeInsights` of Places Aggregate, which counts without showing anything. */
export function createCounter(options: AdapterOptions): PlaceFinder['countArea'] {
  const url = `${trimBaseUrl(options.insightsUrl ?? options.baseUrl)}/v1:computeInsights`;
  return async (types, area, signal) => {
    const key = sendableKey('google_places', options.apiKey);
    const reply = await sendRequest({
      provider: 'google_places',
      fetch: options.fetch ?? globalThis.fetch,
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', 'x-goog-api-key': key },
      body: JSON.stringify({
        insights: ['INSIGHT_COUNT'],
        filter: {
          locationFilter: locationFilter(area),
          typeFilter: { includedTypes: types },
          operatingStatus: ['OPERATING_STATUS_OPERATIONAL', 'OPERATING_STATUS_TEMPORARILY_CLOSED'],
        },
      }),
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      paid: true,
      signal,
    });
    if (reply.status < 200 || reply.status > 299) throw googleError(reply, [key]);
    const parsed = Insights.safeParse(reply.json);
    if (!parsed.success) throw unreadableAnswer('google_places', reply, true);
    return Number(parsed.data.count ?? 0);
  };
}

const locationFilter = (area: CountedArea) =>
  area.kind === 'circle'
    ? { circle: { latLng: area.center, radius: Math.round(area.meters) } }
    : { customArea: { polygon: { coordinates: [...area.border, ...area.border.slice(0, 1)] } } };
