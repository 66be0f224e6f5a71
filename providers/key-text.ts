import type { ProviderId } from './provider.ts';
import { ProviderError, providerNames } from './provider.ts';

/**
 * The key without surrounding space.
 * @throws `bad_credentials` when it is empty or cannot be sent in an HTTP header.
 */
export function sendableKey(provider: ProviderId, apiKey: string): string {
  const key = apiKey.trim();
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key;
  throw new ProviderError(
    provider,
    'bad_credentials',
    `This does not look like a ${providerNames[provider]} key. Copy the key again, without spaces or line breaks.`,
  );
}

/** A base URL without slashes at its end, so that paths can be appended. */
export const trimBaseUrl = (baseUrl: string): string => baseUrl.replace(/\/+$/, '');
