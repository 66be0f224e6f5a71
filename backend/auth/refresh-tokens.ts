import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Tx } from '#db/tx.ts';
import type { DB } from '#db/types.gen.ts';
import type { Vault } from '#db/vault.ts';
import { AUTH_LIFETIMES } from './limits.ts';
import { hashOfToken, newToken } from './secrets.ts';
import type { SessionRow } from './session-answer.ts';

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
 * Spends a token that nobody has spent, of a session that goes on, for its child; undefined where one of the two is not so. The child is also kept sealed with its parent, for those who present that at the same time. One statement, because everybody does this
 * every hour: the session is locked first, and the token looked at again after whoever was before.
 */
export async function spend(
  db: Db,
  vault: Vault,
  parent: Pick<RefreshTokenRow, 'id' | 'session_id'>,
): Promise<{ session: SessionRow; refreshToken: string } | undefined> {
  const refreshToken = newToken();
  const { rows } = await sql<SessionRow>`
    with session as materialized (
      select id from auth.sessions
      where id = ${parent.session_id} and (not_after is null or not_after > now()) for update
    ), spent as (
      update auth.refresh_tokens as token
      set used_at = clock_timestamp(), sealed_child = ${vault.seal(refreshToken, placeOf(parent.id))}
      from session where token.id = ${parent.id} and token.session_id = session.id and token.used_at is null
      returning token.id, token.session_id
    ), child as (
      insert into auth.refresh_tokens (session_id, token_hash, parent_id)
      select session_id, ${hashOfToken(refreshToken)}, id from spent
    ), old as (
      delete from auth.refresh_tokens as token using spent
      where token.session_id = spent.session_id
        and token.used_at < now() - ${AUTH_LIFETIMES.usedRefreshTokenMs} * interval '1 millisecond'
    )
    update auth.sessions as session set refreshed_at = now() from spent where session.id = spent.session_id
    returning session.*
  `.execute(db);
  return rows[0] && { session: rows[0], refreshToken };
}

/** The child that `parent` was spent for. */
export const childOf = (vault: Vault, parent: RefreshTokenRow): string | undefined =>
  parent.sealed_child === null ? undefined : vault.open(parent.sealed_child, placeOf(parent.id));

const placeOf = (parentId: string) => `refresh_tokens.sealed_child:${parentId}`;
