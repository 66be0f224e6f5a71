import type { Factor } from '@supabase/supabase-js';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { withProof } from '#web/lib/session/fresh-proof.ts';
import { SecondStepError } from './second-step-error.ts';

const APP = 'Authenticator app';

/** What people call a factor. */
export const factorName = ({ friendly_name: name, factor_type: type }: Factor): string =>
  name || (type === 'phone' ? 'Phone' : APP);

/** The number (E.164) that a factor's codes are texted to; the client's types do not know of it. */
export const factorPhone = (factor: Factor): string | undefined =>
  'phone' in factor && typeof factor.phone === 'string' ? `+${factor.phone}` : undefined;

/** What an authenticator app is told: `qrCode` as the address of an image. */
export type Setup = { factorId: string; qrCode: string; secret: string };

const mfa = async () => (await getSupabase()).auth.mfa;

/**
 * All that was begun, verified or not.
 * @throws SecondStepError
 */
async function listFactors(): Promise<Factor[]> {
  const { data, error } = await (await mfa()).listFactors();
  if (error) throw new SecondStepError(error);
  return data.all;
}

const isVerified = ({ status }: Factor): boolean => status === 'verified';

/** The second steps that count. */
export const factorsQuery = queryOptions({
  queryKey: ['second-step'],
  queryFn: async () => (await listFactors()).filter(isVerified),
});

async function remove(factorId: string): Promise<void> {
  const client = await mfa();
  const { error } = await withProof(() => client.unenroll({ factorId }));
  if (error && error.code !== 'mfa_factor_not_found') throw new SecondStepError(error);
}

/** Clears away what was begun before, in a dialog that was closed with its tab, and finds a name that is free. */
async function makeRoom(name: string): Promise<string> {
  const factors = await listFactors();
  await Promise.all(factors.filter((factor) => !isVerified(factor)).map(({ id }) => remove(id)));
  const taken = new Set(factors.filter(isVerified).map((factor) => factor.friendly_name));
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name} ${count}`;
  return free;
}

async function beginSetup(): Promise<Setup> {
  const friendlyName = await makeRoom(APP);
  const client = await mfa();
  const { data, error } = await withProof(() =>
    client.enroll({ factorType: 'totp', issuer: 'Fairlead', friendlyName }),
  );
  if (error) throw new SecondStepError(error);
  return { factorId: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret };
}

/** Makes a factor that counts once a code of it was taken. */
export const useBeginSetup = () => useMutation({ mutationFn: beginSetup });

async function beginPhone(phone: string) {
  const friendlyName = await makeRoom(`Phone ending in ${phone.slice(-4)}`);
  const client = await mfa();
  const { data, error } = await withProof(() => client.enroll({ factorType: 'phone', phone, friendlyName }));
  if (error) throw new SecondStepError(error);
  const factorId = data.id;
  return { factorId, phone, challengeId: await textCode(factorId) };
}

/** Makes a phone a factor, which counts once the code was taken that is texted to it. `phone`: as PhoneNumber reads it. */
export const useBeginPhone = () => useMutation({ mutationFn: beginPhone });

/** Takes back one that was begun and is not wanted. */
export const useGiveUpSetup = () => useMutation({ mutationFn: remove });

async function textCode(factorId: string): Promise<string> {
  const { data, error } = await (await mfa()).challenge({ factorId, channel: 'sms' });
  if (error) throw new SecondStepError(error);
  return data.id;
}

/** Texts a code to a phone that is a factor; answers the challenge that the code is for. */
export const useTextCode = () => useMutation({ mutationFn: textCode });

/** Proves a factor; the session goes on at the higher level. `challengeId`: of a code that was texted. */
export function useProve() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ challengeId, ...proof }: { factorId: string; code: string; challengeId?: string }) => {
      const client = await mfa();
      const { error } = challengeId
        ? await client.verify({ ...proof, challengeId })
        : await client.challengeAndVerify(proof);
      if (error) throw new SecondStepError(error, challengeId ? 'text' : 'app');
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
