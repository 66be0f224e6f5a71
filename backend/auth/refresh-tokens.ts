import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Tx } from '#db/tx.ts';
import type { DB } from '#db/types.gen.ts';
import type { Vault } from '#db/vault.ts';
import { AUTH_LIFETIMES } from './limits.ts';
import { hashOfToken, newToken } from './secrets.ts';

export type RefreshTokenRow = Selectable<DB['auth.refresh_tokens']>;

/** Stores the first refresh token of a session, as a hash, and answers it. */
export async function firstRefreshToken(tx: Tx, sessionId: string): Promise<string> {
  const token = newToken();
  await tx
    .insertInto('auth.refresh_tokens')
    .values({ session_id: sessionId, token_hash: hashOfToken(token) })
    .execute();
  return token;
}

/** Spends `parent` for its child. The child is also kept sealed with the parent, for those who present the parent at the same time. */
export async function rotate(tx: Tx, vault: Vault, parent: RefreshTokenRow): Promise<string> {
  const token = newToken();
  await tx
    .insertInto('auth.refresh_tokens')
    .values({ session_id: parent.session_id, token_hash: hashOfToken(token), parent_id: parent.id })
    .execute();
  await tx
    .updateTable('auth.refresh_tokens')
    .set({ used_at: sql<Date>`clock_timestamp()`, sealed_child: vault.seal(token, placeOf(parent.id)) })
    .where('id', '=', parent.id)
    .execute();
  await tx
    .deleteFrom('auth.refresh_tokens')
    .where('session_id', '=', parent.session_id)
    .where('used_at', '<', new Date(Date.now() - AUTH_LIFETIMES.usedRefreshTokenMs))
    .execute();
  return token;
}

/** The child that `parent` was spent for. */
export const childOf = (vault: Vault, parent: RefreshTokenRow): string | undefined =>
  parent.sealed_child === null ? undefined : vault.open(parent.sealed_child, placeOf(parent.id));

const placeOf = (parentId: string) => `refresh_tokens.sealed_child:${parentId}`;
