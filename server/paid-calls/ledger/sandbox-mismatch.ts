import { PROVIDER_CATALOGUE, type ProviderId } from '#contract/providers.ts';
import { AppError } from '#server/lib/app-error.ts';

/** A list keeps to invented or to real data from its first run on. `sandboxList`: which of them it holds. */
export function sandboxMismatch(provider: ProviderId, sandboxList: boolean): AppError {
  const { name } = PROVIDER_CATALOGUE[provider];
  return new AppError(
    'SANDBOX_MISMATCH',
    sandboxList
      ? `This list was started with a sandbox key and works with sandbox keys only. Connect a sandbox key for ${name} in Settings, or start a new search with your real keys.`
      : `This list was started with a real key and works with real keys only. Connect your own ${name} key in Settings, or start a new search with sandbox keys.`,
  );
}

/**
 * Refuses to begin work in other money than its user was shown a price in: a key was exchanged since. Undefined where that is not so.
 * `quoted`: whether the price was in sandbox money, where that is known. `sandbox`: whether the work would be.
 */
export function quoteChanged(
  provider: ProviderId,
  quoted: boolean | undefined,
  sandbox: boolean,
): AppError | undefined {
  if (quoted === undefined || quoted === sandbox) return undefined;
  const { name } = PROVIDER_CATALOGUE[provider];
  const how = sandbox
    ? `You saw a price for real data. Your ${name} key has changed since, so this would now bring sandbox data.`
    : `You saw a price for sandbox data. Your ${name} key has changed since, so this would now spend real money.`;
  return new AppError('QUOTE_CHANGED', `${how} Nothing was started or charged. Check the new price, then start again.`);
}

/** A look-up of a place belongs to no list. It is refused only when its key was replaced before it began. */
export const keyExchanged = (): AppError =>
  new AppError(
    'SANDBOX_MISMATCH',
    'Your Google Places key was changed between a sandbox key and a real one before the look-up began. Look the place up again to use the new key.',
  );

/** What was counted of an area keeps to invented or to real places. `sandbox`: which of them it holds. */
export const otherKindOfCount = (sandbox: boolean): AppError =>
  new AppError(
    'SANDBOX_MISMATCH',
    sandbox
      ? 'This area was counted with a sandbox key, and your Google Places key is a real one now. Connect a sandbox key in Settings, or start a new search with your real key.'
      : 'This area was counted with a real key, and your Google Places key is a sandbox key now. Connect your own key in Settings, or start a new search with the sandbox key.',
  );
