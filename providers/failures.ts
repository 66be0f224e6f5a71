import type { HttpReply } from './http.ts';
import type { ProviderErrorDetails, ServiceId } from './provider.ts';
import { ProviderError, providerNames } from './provider.ts';

/** A 2xx answer that is not what the provider documents. */
export function unreadableAnswer(provider: ServiceId, reply: HttpReply, paid: boolean): ProviderError {
  return new ProviderError(
    provider,
    'unknown_shape',
    `${providerNames[provider]} sent a response that could not be read. Try again later.`,
    { charge: paid ? 'possible' : 'none', detail: `HTTP ${reply.status}, unexpected body` },
  );
}

/** HTTP 5xx. */
export function providerDown(provider: ServiceId, details: ProviderErrorDetails): ProviderError {
  const message = `${providerNames[provider]} is having trouble right now. Try again in a few minutes.`;
  return new ProviderError(provider, 'transient', message, details);
}

/** Too many requests in a short time. */
export function tooFast(provider: ServiceId, details: ProviderErrorDetails): ProviderError {
  const message = `${providerNames[provider]} is receiving requests too quickly for this key. Wait a minute, then try again.`;
  return new ProviderError(provider, 'rate_limited', message, details);
}

/** HTTP 3xx: what answered is not the provider's interface. */
export function redirected(provider: ServiceId, reply: HttpReply): ProviderError {
  const message = `The address used for ${providerNames[provider]} redirects elsewhere. Ask the administrator to check the address that this server uses for it.`;
  return new ProviderError(provider, 'bad_configuration', message, { detail: `HTTP ${reply.status} redirect` });
}
