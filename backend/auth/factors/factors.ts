import { type Selectable, sql } from 'kysely';
import { type AsJson, toIso } from '#backend/auth/kit/as-json.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { DB } from '#db/types.gen.ts';

export type FactorRow = Selectable<DB['auth.mfa_factors']>;
export type FactorType = 'totp' | 'phone';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** How a session has proven each kind of factor, in `amr`. */
export const METHOD_OF: Record<FactorType, string> = { totp: 'totp', phone: 'mfa/phone' };

export const typeOf = ({ factor_type: type }: Pick<FactorRow, 'factor_type'>): FactorType =>
  type === 'phone' ? 'phone' : 'totp';

/** All of someone's, the verified and the others, the oldest first. */
export const findFactors = (db: Db, userId: string): Promise<FactorRow[]> =>
  db.selectFrom('auth.mfa_factors').selectAll().where('user_id', '=', userId).orderBy('created_at').execute();

/**
 * One of someone's, locked until the transaction ends; anyone who locks their sessions as well does that before.
 * @throws AuthError 404 `validation_failed` for what is no id, 404 `mfa_factor_not_found`.
 */
export async function lockFactor(tx: Tx, userId: string, id: string): Promise<FactorRow> {
  if (!UUID.test(id)) throw new AuthError(404, 'validation_failed', 'factor_id must be an UUID');
  const factor = await tx
    .selectFrom('auth.mfa_factors')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (!factor) throw new AuthError(404, 'mfa_factor_not_found', 'Factor not found');
  return factor;
}

/** Deletes a factor; sessions that it has raised are what they were before. Their tokens say so from the next refresh on. */
export async function dropFactor(tx: Tx, factor: FactorRow): Promise<void> {
  await tx
    .updateTable('auth.sessions')
    .set({
      aal: 'aal1',
      factor_id: null,
      amr: sql<string>`jsonb_path_query_array(amr, '$[*] ? (@.method != $gone)', ${JSON.stringify({ gone: METHOD_OF[typeOf(factor)] })}::jsonb)`,
    })
    .where('factor_id', '=', factor.id)
    .execute();
  await tx.deleteFrom('auth.mfa_factors').where('id', '=', factor.id).execute();
}

/** GoTrue's factor. */
export type FactorJson = ReturnType<typeof factorJson>;

/** The wire form, without what proves it. Times are ISO strings; what is not known is left out. */
export function factorJson(factor: AsJson<FactorRow>) {
  return {
    id: factor.id,
    created_at: toIso(factor.created_at),
    updated_at: toIso(factor.updated_at),
    status: factor.status,
    ...(factor.friendly_name ? { friendly_name: factor.friendly_name } : {}),
    factor_type: factor.factor_type,
    ...(factor.phone ? { phone: factor.phone } : {}),
    ...(factor.last_challenged_at ? { last_challenged_at: toIso(factor.last_challenged_at) } : {}),
  };
}
