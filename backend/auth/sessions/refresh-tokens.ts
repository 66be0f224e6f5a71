import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { hashOfToken, newToken } from '#backend/auth/kit/secrets.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import type { DB } from '#db/types.gen.ts';
import type { OpenedSession } from './session-answer.ts';

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

/**
 * Spends a token that no one has spent, of a session that goes on, for its child; undefined where one of the two is not so. The child is
 * also kept sealed with its parent, for those who present that at the same time.
 */
export async function spend(db: Db, vault: Vault, tokenId: string): Promise<OpenedSession | undefined> {
  const refreshToken = newToken();
  const sealed = vault.seal(refreshToken, placeOf(tokenId));
  const { rows } = await sql<Omit<OpenedSession, 'refreshToken'>>`
    select * from auth.spend_refresh_token(${tokenId}, ${hashOfToken(refreshToken)}, ${sealed})`.execute(db);
  return rows[0] && { ...rows[0], refreshToken };
}

/** The child that `parent` was spent for. */
export const childOf = (vault: Vault, parent: RefreshTokenRow): string | undefined =>
  parent.sealed_child === null ? undefined : vault.open(parent.sealed_child, placeOf(parent.id));

const placeOf = (parentId: string) => `refresh_tokens.sealed_child:${parentId}`;
