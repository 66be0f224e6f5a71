import type { Factor } from '@supabase/supabase-js';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { getSupabase } from '#web/lib/supabase.ts';
import { SecondStepError } from './second-step-error.ts';

const NAME = 'Authenticator app';

/** What an authenticator app is told: `qrCode` as the address of an image. */
export type Setup = { factorId: string; qrCode: string; secret: string };

const mfa = async () => (await getSupabase()).auth.mfa;

/** All that was begun, verified or not. Throws SecondStepError. */
async function listFactors(): Promise<Factor[]> {
  const { data, error } = await (await mfa()).listFactors();
  if (error) throw new SecondStepError(error);
  return data.all;
}

export const isVerified = ({ status }: Factor): boolean => status === 'verified';

/** The second steps that count. */
export const factorsQuery = queryOptions({
  queryKey: ['second-step'],
  queryFn: async () => (await listFactors()).filter(isVerified),
});

async function remove(factorId: string): Promise<void> {
  const { error } = await (await mfa()).unenroll({ factorId });
  if (error && error.code !== 'mfa_factor_not_found') throw new SecondStepError(error);
}

async function beginSetup(): Promise<Setup> {
  const factors = await listFactors();
  // Begun before, in a dialog that was closed with its tab.
  await Promise.all(factors.filter((factor) => !isVerified(factor)).map(({ id }) => remove(id)));
  const taken = new Set(factors.filter(isVerified).map((factor) => factor.friendly_name));
  let friendlyName = NAME;
  for (let count = 2; taken.has(friendlyName); count++) friendlyName = `${NAME} ${count}`;
  const { data, error } = await (await mfa()).enroll({ factorType: 'totp', issuer: 'Fairlead', friendlyName });
  if (error) throw new SecondStepError(error);
  return { factorId: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret };
}

/** Makes a factor that counts once a code of it was taken. */
export const useBeginSetup = () => useMutation({ mutationFn: beginSetup });

/** Takes back one that was begun and is not wanted. */
export const useGiveUpSetup = () => useMutation({ mutationFn: remove });

/** Texts a code to a phone that is a factor; answers the challenge that the code is for. */
export const useTextCode = () =>
  useMutation({
    mutationFn: async (factorId: string) => {
      const { data, error } = await (await mfa()).challenge({ factorId, channel: 'sms' });
      if (error) throw new SecondStepError(error);
      return data.id;
    },
  });

/** Proves a factor; the session goes on at the higher level. `challengeId`: of a code that was texted. */
export function useProve() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ challengeId, ...proof }: { factorId: string; code: string; challengeId?: string }) => {
      const client = await mfa();
      const { error } = challengeId
        ? await client.verify({ ...proof, challengeId })
        : await client.challengeAndVerify(proof);
      if (error) throw new SecondStepError(error);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: factorsQuery.queryKey }),
  });
}

/** Removes a factor for good. The session's new token says that it is gone. */
export function useRemoveFactor() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (factorId: string) => {
      await remove(factorId);
      await (await getSupabase()).auth.refreshSession();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: factorsQuery.queryKey }),
  });
}
