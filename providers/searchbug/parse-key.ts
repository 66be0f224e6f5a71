import { ProviderError } from '#providers/provider.ts';

/** The two secrets that SearchBug wants: the account number and the API key (or account password). */
export type SearchbugCredentials = { account: string; secret: string };

/** Sandbox keys need no account number; the sandbox accepts any. */
const sandboxAccount = '12345678';

/**
 * Reads `ACCOUNT_NUMBER:API_KEY`, also with `|`, `,`, `;` or space between, and with the labels CO_CODE= and PASS=.
 * Splits at the first separator, because the API key may contain one. Returns undefined when a half is missing.
 */
export function parseSearchbugKey(text: string): SearchbugCredentials | undefined {
  const trimmed = text.trim();
  if (/^sandbox[\w-]*$/.test(trimmed)) return { account: sandboxAccount, secret: trimmed };
  const match = /^(?:CO_CODE\s*=\s*)?(\d{3,12})\s*[:|,;\s]\s*(?:PASS\s*=\s*)?(\S.*)$/is.exec(trimmed);
  const [, account, secret] = match ?? [];
  return account && secret && secret.length <= 500 ? { account, secret } : undefined;
}

/** The same, or ProviderError `bad_credentials` that says what to type. */
export function requireSearchbugKey(text: string): SearchbugCredentials {
  const credentials = parseSearchbugKey(text);
  if (credentials) return credentials;
  throw new ProviderError(
    'searchbug',
    'bad_credentials',
    'Enter the SearchBug key as ACCOUNT_NUMBER:API_KEY. Both are on the page "Your Account" at SearchBug.',
  );
}
