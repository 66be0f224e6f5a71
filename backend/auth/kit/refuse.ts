import type { AccessDenial } from './access-gate.ts';
import { type AuthError, deniedError } from './auth-error.ts';
import type { AuthContext } from './context.ts';
import type { AuthRefusal } from './options.ts';

/** Tells of the gate's denial and returns the error to throw. Not in a transaction: what is thrown there is undone. */
export async function refuse(
  { db, onEvent }: Pick<AuthContext, 'db' | 'onEvent'>,
  denial: AccessDenial,
  about: Omit<AuthRefusal, 'reason'> & { ip: string },
): Promise<AuthError> {
  await onEvent(db, { type: 'refused', reason: denial.reason, ...about });
  return deniedError(denial);
}
