import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { withProof } from '#web/lib/session/fresh-proof.ts';
import { factorsQuery } from './second-step-api.ts';
import { SecondStepError } from './second-step-error.ts';

const client = async () => (await getSupabase()).auth.mfa.recoveryCodes;

/** `remaining`: codes that were not used. */
export type RecoveryCodes = { total: number; remaining: number };

/** The caller's codes; null for none, and `unavailable` where the backend offers none. */
async function readCodes(): Promise<RecoveryCodes | null | 'unavailable'> {
  const { data, error } = await (await client()).getStatus();
  if (!error) return { total: data.total, remaining: data.remaining };
  if (error.code === 'mfa_factor_not_found') return null;
  if (error.status === 404 || error.status === 422) return 'unavailable';
  throw new SecondStepError(error);
}

/** Whether there are codes that may still be spent. */
export const hasCodesLeft = (codes: RecoveryCodes | null | 'unavailable' | undefined): boolean =>
  typeof codes === 'object' && codes !== null && codes.remaining > 0;

export const recoveryCodesQuery = queryOptions({ queryKey: ['recovery-codes'], queryFn: readCodes });

/** Makes the first codes, or others in place of those that are there. They are told this once. */
export function useMakeCodes() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (which: 'first' | 'another') => {
      const codes = await client();
      const { data, error } = await withProof(() => (which === 'first' ? codes.generate() : codes.regenerate()));
      if (error) throw new SecondStepError(error);
      return data.codes;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: recoveryCodesQuery.queryKey }),
  });
}

/** Proves the second step by a code, which is used up by it. */
export function useRecoveryCode() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (code: string) => {
      const { error } = await (await client()).verify({ code });
      if (error) throw new SecondStepError(error, 'recovery');
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: factorsQuery.queryKey });
      await queries.invalidateQueries({ queryKey: recoveryCodesQuery.queryKey });
    },
  });
}
