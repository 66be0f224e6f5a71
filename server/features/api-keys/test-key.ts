import type { z } from 'zod/mini';
import type { testKeyEndpoint } from '#contract/account/api-keys.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { PROVIDER_CATALOGUE, type ProviderId } from '#contract/providers.ts';
import { ProviderError } from '#providers/provider.ts';
import { isSandboxKey, type Providers } from '#providers/registry.ts';
import { openApiKey } from '#server/api-keys/api-key.ts';
import type { Ctx } from '#server/http/context.ts';
import { saveKey } from './save-key.ts';

type Result = DataOf<typeof testKeyEndpoint>;

/**
 * Asks the provider whether a key works, which is free. With `save`, keeps a key that works.
 * - A blank key, or `testExisting`, means the stored one.
 * - A key that is refused or malformed, and a provider out of reach, are results, not errors.
 */
export async function testKey(ctx: Ctx, body: z.output<typeof testKeyEndpoint.body>): Promise<Result> {
  const { deps, user, signal } = ctx;
  const { provider, save = false } = body;
  const typed = body.testExisting ? '' : (body.apiKey ?? '');
  const stored = typed ? undefined : await openApiKey(deps, user.userId, provider);
  const apiKey = typed || stored?.apiKey;
  if (!apiKey) return refused('Please enter an API key');
  // A key is sent in a header; what does not fit into one cannot be a key.
  if (!/^[\x20-\x7e]+$/.test(apiKey)) return refused('An API key has only letters, digits and symbols. Copy it again.');
  if (isSandboxKey(apiKey) && !deps.env.sandbox)
    return refused(
      `Sandbox keys do not work here. Enter a key of your own ${PROVIDER_CATALOGUE[provider].name} account.`,
    );
  try {
    await askProvider(deps.providers, provider, apiKey, signal);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    ctx.log.warn({ provider, kind: error.kind }, 'a key was refused');
    return refused(error.message);
  }
  // Anyone who closed the dialog has changed their mind.
  signal.throwIfAborted();
  if (typed && save) await saveKey(ctx, provider, typed);
  return { valid: true, error: null, saved: save };
}

const refused = (error: string): Result => ({ valid: false, error, saved: false });

async function askProvider(
  providers: Providers,
  provider: ProviderId,
  key: string,
  signal: AbortSignal,
): Promise<void> {
  switch (provider) {
    case 'google_places':
      return providers.placeFinder(key).testKey(signal);
    case 'hunter_io':
      return providers.emailFinder(key).testKey(signal);
    case 'searchbug':
      await providers.phoneScrubber(key).testKey(signal);
  }
}
