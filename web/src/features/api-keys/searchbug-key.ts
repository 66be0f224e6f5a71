/** The two halves of a SearchBug key, as its site names them: Account Number and API Key. */
export type SearchbugKey = { account: string; secret: string };

const LABELED = /^(?:CO_CODE\s*=\s*)?(\d{3,12})\s*[:|,;\s]\s*(?:PASS\s*=\s*)?(\S.*)$/is;

/** The halves of `ACCOUNT_NUMBER:API_KEY`, and of the other ways in which the server reads both; undefined for anything else. */
export function splitKey(text: string): SearchbugKey | undefined {
  const [, account, secret] = LABELED.exec(text.trim()) ?? [];
  return account && secret ? { account, secret } : undefined;
}

/** Keys of the sandbox need no account number. */
const STANDS_ALONE = /^sandbox[\w-]*$/;

/**
 * Both halves as one key, for the server.
 *
 * - a half that holds both, or a sandbox key, also in both halves: that half as it is
 * - nothing in either: ''
 * - only one half of a real key, or no number as its account: which one is `missing`
 */
export function joinKey({ account, secret }: SearchbugKey): { key: string } | { missing: keyof SearchbugKey } {
  const halves = [account.trim(), secret.trim()].filter(Boolean);
  const [only = '', second] = halves;
  if (second !== undefined) {
    if (STANDS_ALONE.test(only) && STANDS_ALONE.test(second)) return { key: second };
    const key = `${only}:${second}`;
    return splitKey(key) ? { key } : { missing: 'account' };
  }
  if (only === '' || splitKey(only) || STANDS_ALONE.test(only)) return { key: only };
  return { missing: account.trim() === '' ? 'account' : 'secret' };
}
