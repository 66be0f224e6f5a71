import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** `GET` returns everything that is stored about the caller, as a JSON file and not in the envelope of other calls. */
export const ACCOUNT_EXPORT_PATH = '/api/account/export';

export const exportAccountEndpoint = endpoint({
  method: 'GET',
  growsWith: 'account',
  path: ACCOUNT_EXPORT_PATH,
  data: z.string(),
});

export const exportFileName = (day: Date): string => `fairlead-data-${day.toISOString().slice(0, 10)}.json`;

/** Deletes the caller's account with everything in it. `email`: the caller's address, typed to confirm. */
export const deleteAccountEndpoint = endpoint({
  method: 'DELETE',
  path: '/api/account',
  freshProof: true,
  body: z.object({ email: z.string() }),
  data: z.object({ id: z.string() }),
});

/** Whether what was typed is the address of the account. */
export const confirmsAddress = (typed: string, address: string): boolean =>
  typed.trim().toLowerCase() === address.trim().toLowerCase();
