import { type RawBuilder, sql } from 'kysely';
import type { ProviderId } from '#contract/providers.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import { together } from '#db/connection/together.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Limits } from '#server/budgets/read-budgets.ts';
import { lockingListToWorkOn, mayWorkOn } from '#server/runs/rows.ts';
import type { ListRecord } from '#server/runs/run-context.ts';

/** What decides whether work on a list may begin. */
type ListStanding = {
  /** Whether rows of a file are being added to it. */
  beingFilled: boolean;
  /** Its runs that wait or are at work. `canceling`: someone has canceled it, so it only ends. */
  open: { id: string; kind: string; input: unknown; canceling: boolean }[];
  /** Which kind of key its owner has connected for the provider; null for none. */
  keySandbox: boolean | null;
  /** The limits of its owner's budgets. */
  limits: Limits;
};

/**
 * Locks the caller's list to begin work on, then reads how it stands.
 * @throws what `mayWorkOn` throws.
 */
export async function lockAndLook(
  tx: Tx,
  userId: string,
  listId: string,
  provider: ProviderId,
): Promise<{ list: ListRecord; standing: ListStanding }> {
  const [locked, [standing]] = await together(tx, [
    lockingListToWorkOn(tx, userId, listId),
    standingOf(userId, listId, provider),
  ]);
  const list = mayWorkOn(locked[0]);
  if (!standing) throw new Error('The standing of a list was not read.');
  return { list, standing };
}

const standingOf = (
  userId: string,
  listId: string,
  provider: ProviderId,
): RawBuilder<ListStanding> => sql<ListStanding>`
  ${KEPT} select
    exists (select from app.imports where list_id = ${listId}::uuid and state in ('waiting', 'running')) as "beingFilled",
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'input', input,
        'canceling', cancel_requested_at is not null)), '[]')
      from app.runs where list_id = ${listId}::uuid and state in ('queued', 'running')) as open,
    (select sandbox from app.provider_keys where user_id = ${userId}::uuid and provider = ${provider}) as "keySandbox",
    (select coalesce(jsonb_agg(jsonb_build_object('budget', budget, 'set_by', set_by, 'limit_micros', limit_micros)), '[]')
      from app.budgets where user_id = ${userId}::uuid) as limits`;
