import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { deleteKeyEndpoint, testKeyEndpoint } from '#contract/account/api-keys.ts';
import type { ProviderId } from '#contract/providers.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { apiKeysQuery } from './api.ts';
import { keyTestErrorText, keyTestRefusalText } from './key-test-messages.ts';

/** A key that the provider did not accept, or that could not be tested; `message` is one of spec section 8. */
class KeyTestError extends Error {
  override name = 'KeyTestError';
}

type KeyTest = { provider: ProviderId; apiKey: string; save: true } | { provider: ProviderId; testExisting: true };

/** @throws KeyTestError unless the key is valid and, if asked for, saved. */
async function runKeyTest(test: KeyTest, signal?: AbortSignal): Promise<void> {
  const answer = await callApi(testKeyEndpoint, { body: test, ...(signal ? { signal } : {}) }).catch(
    (error: unknown) => {
      throw new KeyTestError(keyTestErrorText(error, navigator.onLine));
    },
  );
  const refusal = keyTestRefusalText(answer, 'save' in test);
  if (refusal) throw new KeyTestError(refusal);
}

/** Reads the keys again. After a failure no one waits for it, so that the reason is told at once. */
function reload(queries: QueryClient, error: Error | null): Promise<void> | undefined {
  const reading = queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
  return error ? undefined : reading;
}

/** Tests a new key with its provider, and saves it. Leaving stops the test, and saves nothing. */
export function useTestKey() {
  const queries = useQueryClient();
  const test = useRef<AbortController>(undefined);
  useEffect(() => () => test.current?.abort(), []);
  return useMutation({
    mutationFn: (wanted: KeyTest) => {
      test.current = new AbortController();
      return runKeyTest(wanted, test.current.signal);
    },
    onSettled: (_data, error) => reload(queries, error),
  });
}

/** Tests the stored key of a provider. Its outcome is told even when the button has gone: the session may end meanwhile. */
export function useTestStoredKey(provider: ProviderId, told: { onSuccess(): void; onError(error: Error): void }) {
  const queries = useQueryClient();
  return useMutation({
    ...told,
    mutationFn: () => runKeyTest({ provider, testExisting: true }),
    onSettled: (_data, error) => reload(queries, error),
  });
}

/** Disconnects a provider. */
export function useDeleteKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (provider: ProviderId) => callApi(deleteKeyEndpoint, { body: { provider } }),
    onSettled: (_data, error) => reload(queries, error),
  });
}
