import { sql } from 'kysely';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Db } from '#db/connection/client.ts';
import { isUuid } from '#server/runs/rows.ts';

/** Leads of a list whose work takes some ten milliseconds: more of them are worked on elsewhere. */
const LONG_LIST = 2_000;
/** Characters of a body. */
const LONG_BODY = 50_000;

/** What a request was found to ask for, after the contract. */
export type Asked = { query: unknown; body: unknown; text: string | undefined };

/** Whether a request of someone may take so long that others should not wait for it. */
export async function isLong(
  db: Db,
  { growsWith }: Pick<Endpoint, 'growsWith'>,
  userId: string,
  asked: Asked,
): Promise<boolean> {
  if (growsWith === undefined) return false;
  if (growsWith === 'account') return true;
  if (growsWith === 'body') return (asked.text?.length ?? 0) > LONG_BODY;
  if (growsWith === 'verdicts' && !asksForVerdicts(asked)) return false;
  const listId = fieldOf(asked.query, 'listId') ?? fieldOf(asked.body, 'list_id');
  return typeof listId === 'string' && isUuid(listId) && isLongList(db, userId, listId);
}

/** By their last position: no count of a list costs as little. Another's list is not long, and refused by the verb. */
async function isLongList(db: Db, userId: string, listId: string): Promise<boolean> {
  const { rows } = await sql<{ long: boolean }>`
    select exists (
      select from public.lists as list join public.leads as lead on lead.list_id = list.id
      where list.id = ${listId} and list.user_id = ${userId} and lead.position >= ${LONG_LIST}
    ) as long
  `.execute(db);
  return rows[0]?.long ?? false;
}

const asksForVerdicts = ({ query, body }: Asked): boolean =>
  fieldOf(query, 'call') !== undefined ||
  String(fieldOf(query, 'sort') ?? '').startsWith('call.') ||
  fieldOf(body, 'call_within') !== undefined ||
  fieldOf(fieldOf(body, 'matching'), 'call') !== undefined;

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
