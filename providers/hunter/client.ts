import { setTimeout as wait } from 'node:timers/promises';
import { unreadableAnswer } from '#providers/failures.ts';
import { type HttpReply, sendRequest } from '#providers/http.ts';
import { sendableKey, trimBaseUrl } from '#providers/key-text.ts';
import { type AdapterOptions, ProviderError, type TurnOptions } from '#providers/provider.ts';
import {
  type WireAccount,
  type WireDomainSearch,
  type WireVerification,
  wireAccount,
  wireDomainSearch,
  wireEmailCount,
  wireVerification,
} from './api-types.ts';
import { hunterError, hunterErrorId } from './errors.ts';

const DOMAIN_SEARCH = '/domain-search';
const EMAIL_VERIFIER = '/email-verifier';
const defaultTimeoutMs = 20_000;
/** How long to wait before asking again while Hunter still works on an answer (202). Asking again is not charged. */
const pollDelaysMs = [2_000, 4_000, 8_000, 15_000];

/** `sleep` is replaceable so that tests need not wait. */
export type HunterOptions = AdapterOptions & { sleep?: (ms: number, signal?: AbortSignal) => Promise<void> };

/** Hunter's answer about a domain; `unsettled` when verification of its addresses failed on the other side (222). */
export type DomainAnswer = { data: WireDomainSearch['data'] | undefined; unsettled: boolean };

/** Speaks Hunter's API v2. Every call throws ProviderError for anything but a readable answer. */
export function createHunterClient(options: HunterOptions) {
  const base = `${trimBaseUrl(options.baseUrl)}/v2`;
  const sleep = options.sleep ?? ((ms, signal) => wait(ms, undefined, signal ? { signal } : {}));

  const get = (path: string, key: string, signal?: AbortSignal) =>
    sendRequest({
      provider: 'hunter_io',
      fetch: options.fetch ?? globalThis.fetch,
      method: 'GET',
      url: base + path,
      headers: { 'x-api-key': key },
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      // A repeated look-up is not charged again, but one whose answer stays lost may have been.
      paid: path.startsWith(DOMAIN_SEARCH) || path.startsWith(EMAIL_VERIFIER),
      signal,
    });

  /** The reply to a call once Hunter has a result, or its last 202. */
  async function polled(path: string, key: string, { takeTurn, signal }: TurnOptions): Promise<HttpReply> {
    let reply = await get(path, key, signal);
    for (const delayMs of pollDelaysMs) {
      if (reply.status !== 202) return reply;
      await sleep(delayMs, signal);
      await takeTurn?.();
      reply = await get(path, key, signal);
    }
    return reply;
  }

  async function settled(path: string, key: string, turns: TurnOptions): Promise<HttpReply> {
    const reply = await polled(path, key, turns);
    if (reply.status !== 202) return reply;
    const message = 'Hunter is still working on this domain. Try again in a few minutes.';
    throw new ProviderError('hunter_io', 'transient', message, { detail: 'HTTP 202 after every poll' });
  }

  /** When the credits of the plan renew, if Hunter says so: it only improves a message, so a failure is no matter. */
  async function resetDate(key: string, signal?: AbortSignal): Promise<string | undefined> {
    try {
      const account = wireAccount.safeParse((await get('/account', key, signal)).json);
      return account.success ? (account.data.data.reset_date ?? undefined) : undefined;
    } catch {
      signal?.throwIfAborted();
      return undefined;
    }
  }

  return {
    /** How many addresses Hunter has of a domain. Free. */
    async emailCount(domain: string, signal?: AbortSignal): Promise<number> {
      const key = sendableKey('hunter_io', options.apiKey);
      const reply = await get(`/email-count?domain=${encodeURIComponent(domain)}`, key, signal);
      if (reply.status < 200 || reply.status > 299) throw hunterError(reply, [key]);
      const count = wireEmailCount.safeParse(reply.json);
      if (!count.success) throw unreadableAnswer('hunter_io', reply, false);
      return count.data.data.total;
    },

    /** The account that the key belongs to. Free. */
    async account(signal?: AbortSignal): Promise<WireAccount['data']> {
      const key = sendableKey('hunter_io', options.apiKey);
      const reply = await get('/account', key, signal);
      if (reply.status < 200 || reply.status > 299) throw hunterError(reply, [key]);
      const account = wireAccount.safeParse(reply.json);
      if (!account.success) throw unreadableAnswer('hunter_io', reply, false);
      return account.data.data;
    },

    /** At most ten addresses: one credit, and the most that a free plan may ask for. 404 is no data. */
    async domainSearch(domain: string, turns: TurnOptions = {}): Promise<DomainAnswer> {
      const key = sendableKey('hunter_io', options.apiKey);
      const path = `${DOMAIN_SEARCH}?domain=${encodeURIComponent(domain)}`;
      let reply = await settled(`${path}&limit=10`, key, turns);
      // A plan may allow less than ten: Hunter's default is then within it.
      if (reply.status === 400 && hunterErrorId(reply) === 'pagination_error') {
        await turns.takeTurn?.();
        reply = await settled(path, key, turns);
      }
      // A 404 page of someone else is not Hunter's "not found".
      if (reply.status === 404 && reply.json !== undefined) return { data: undefined, unsettled: false };
      if (reply.status === 429) throw hunterError(reply, [key], await resetDate(key, turns.signal));
      if (reply.status < 200 || reply.status > 299) throw hunterError(reply, [key]);
      const parsed = wireDomainSearch.safeParse(reply.json);
      if (!parsed.success) throw unreadableAnswer('hunter_io', reply, false);
      return { data: parsed.data.data, unsettled: reply.status === 222 };
    },

    /** What Hunter says of an email; undefined while it has no result, or its check failed on the other side (222). */
    async emailVerifier(email: string, turns: TurnOptions = {}): Promise<WireVerification['data'] | undefined> {
      const key = sendableKey('hunter_io', options.apiKey);
      const reply = await polled(`${EMAIL_VERIFIER}?email=${encodeURIComponent(email)}`, key, turns);
      if (reply.status === 202 || reply.status === 222) return undefined;
      if (reply.status === 429) throw hunterError(reply, [key], await resetDate(key, turns.signal));
      if (reply.status < 200 || reply.status > 299) throw hunterError(reply, [key]);
      const parsed = wireVerification.safeParse(reply.json);
      if (!parsed.success) throw unreadableAnswer('hunter_io', reply, false);
      return parsed.data.data;
    },
  };
}
