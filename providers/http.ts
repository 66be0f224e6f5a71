import type { Fetch, ServiceId } from './provider.ts';
import { ProviderError, providerNames } from './provider.ts';

const maxBodyBytes = 5 * 1024 * 1024;
const userAgent = 'Fairlead/1.0';

/** The request never left this machine, so it cannot have been billed. */
const neverSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** One request to a provider. `paid`: an answer to it is billed. */
export type HttpRequest = {
  provider: ServiceId;
  fetch: Fetch;
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  timeoutMs: number;
  paid: boolean;
  signal?: AbortSignal | undefined;
};

/** An answer of any HTTP status. `json` is undefined when the body is not JSON. Redirects are answers, never followed. */
export type HttpReply = { status: number; headers: Headers; text: string; json: unknown };

/**
 * Sends one request, once.
 * @throws ProviderError `transient` for a time-out or a failed or cut connection, `unknown_shape` for a body above 5 MB.
 * @throws the signal's reason when the caller aborts.
 */
export async function sendRequest(request: HttpRequest): Promise<HttpReply> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    const response = await request.fetch(request.url, {
      method: request.method,
      headers: { accept: 'application/json', 'user-agent': userAgent, ...request.headers },
      ...(request.body === undefined ? {} : { body: request.body }),
      redirect: 'manual',
      signal,
    });
    const text = await readBody(response, request);
    return { status: response.status, headers: response.headers, text, json: parseJson(text) };
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    request.signal?.throwIfAborted();
    throw networkFailure(error, timeout.aborted, request);
  }
}

async function readBody(response: Response, request: HttpRequest): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) {
      // Leaving the loop cancels the stream.
      throw new ProviderError(
        request.provider,
        'unknown_shape',
        `${providerNames[request.provider]} sent a response that is far too large. Try again later.`,
        { charge: request.paid ? 'possible' : 'none', detail: `body above ${maxBodyBytes} bytes` },
      );
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function networkFailure(error: unknown, timedOut: boolean, request: HttpRequest): ProviderError {
  const name = providerNames[request.provider];
  const code = networkCode(error);
  const neverSent = code !== undefined && neverSentCodes.has(code);
  const message = timedOut
    ? `${name} did not respond within ${Math.ceil(request.timeoutMs / 1000)} seconds. Try again in a few minutes.`
    : neverSent
      ? `${name} could not be reached. Check this server's internet connection, then try again.`
      : `The connection to ${name} was cut before a response came. Try again in a few minutes.`;
  return new ProviderError(request.provider, 'transient', message, {
    charge: request.paid && !neverSent ? 'possible' : 'none',
    detail: timedOut ? 'timed out' : (code ?? 'connection failed'),
  });
}

/** The system's code of a failed fetch ("ECONNRESET"), which undici keeps in the cause, sometimes one level deeper. */
function networkCode(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < 4 && typeof current === 'object' && current !== null; depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    if (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0];
    else current = 'cause' in current ? current.cause : undefined;
  }
  return undefined;
}
