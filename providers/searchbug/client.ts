import { sendRequest } from '#providers/http.ts';
import { trimBaseUrl } from '#providers/key-text.ts';
import type { AdapterOptions } from '#providers/provider.ts';
import { type WireAnswer, wireAnswer } from './api-types.ts';
import { searchbugHttpError } from './errors.ts';
import { requireSearchbugKey } from './parse-key.ts';

/** SearchBug asks for this much patience, and a request that we give up on may be billed. */
const defaultTimeoutMs = 30_000;

/** An answer with the secrets that must not be quoted from it. `body` is what was sent, without them. */
type SearchbugReply = { answer: WireAnswer; secrets: readonly string[]; body: string; requestId: string | null };

/** One call: the parameters besides credentials and format. `paid`: the answer to it is billed. */
export type SearchbugCall = (
  call: { parameters: Readonly<Record<string, string>>; paid: boolean },
  signal?: AbortSignal,
) => Promise<SearchbugReply>;

/**
 * Speaks `POST /api/search.aspx`, with the credentials in the body: one form for API keys and account passwords.
 * Redirects are not followed: they lead to a web page.
 * @throws ProviderError unless the answer is SearchBug's JSON, which may still say "Error".
 */
export function createSearchbugClient(options: AdapterOptions): SearchbugCall {
  const url = `${trimBaseUrl(options.baseUrl)}/api/search.aspx`;
  return async ({ parameters, paid }, signal) => {
    const { account, secret } = requireSearchbugKey(options.apiKey);
    const secrets = [options.apiKey.trim(), secret, account];
    const reply = await sendRequest({
      provider: 'searchbug',
      fetch: options.fetch ?? globalThis.fetch,
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ CO_CODE: account, PASS: secret, ...parameters, FORMAT: 'JSON' }).toString(),
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      paid,
      signal,
    });
    const parsed = wireAnswer.safeParse(reply.json);
    if (reply.status < 200 || reply.status > 299 || !parsed.success) throw searchbugHttpError(reply, secrets, paid);
    const body = secrets.reduce((text, one) => (one === '' ? text : text.replaceAll(one, '[removed]')), reply.text);
    return { answer: parsed.data, secrets, body, requestId: reply.headers.get('x-request-id')?.slice(0, 200) ?? null };
  };
}
