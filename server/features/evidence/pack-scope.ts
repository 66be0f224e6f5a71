import { type RawBuilder, sql } from 'kysely';
import type { ChainHead, PackQuestion } from '#contract/calling/evidence.ts';
import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { phoneSubject } from '#server/evidence/phone-subject.ts';
import type { EntryScope } from '#server/evidence/read-entries.ts';
import { readHead } from '#server/evidence/read-head.ts';
import type { CurrentUser } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { whyNoPhone } from '#server/lib/why-no-phone.ts';

/** Which entries a pack holds, of the chain up to its head. `subject`: that of the number in question. `proveEntry`: an entry that its proof passes. */
export type PackScope = EntryScope & {
  head: ChainHead;
  number: NumberScope | undefined;
  proveEntry: number | undefined;
};

/**
 * What a number's own state rests on, whatever else a question asks for. `key`: as in app.suppressions.
 * - `condition`: every entry about it up to the end of the scope, no matter whose.
 * - `reader`: whose checks and calls alone may be told; undefined for everyone's.
 * - `erasedHash`: what is left of it once it is erased, in hex.
 */
export type NumberScope = {
  key: string;
  condition: RawBuilder<boolean>;
  reader: string | undefined;
  erasedHash: string | undefined;
};

/**
 * Reads what a question means at this moment. What joins the chain later is not in the pack.
 * @throws VALIDATION_FAILED when the text is not a number, or the chain has no entry to lead to.
 * @throws FORBIDDEN for someone else's entries.
 * @throws NOT_FOUND for a list or an export that is not the caller's.
 */
export async function readScope(
  db: Db,
  vault: Vault,
  user: CurrentUser,
  { from, to, listId, exportId, userId, phone, proveEntry }: PackQuestion,
): Promise<PackScope> {
  const isAdmin = user.role === 'admin';
  if (!isAdmin && userId !== undefined && userId !== user.userId)
    throw new AppError('FORBIDDEN', 'Only administrators can ask for the entries of someone else.');
  if (!isAdmin) await requireOwn(db, user.userId, { listId, exportId });
  const head = await readHead(db);
  if (proveEntry !== undefined && proveEntry > head.position)
    throw new AppError(
      'VALIDATION_FAILED',
      `The chain has no entry ${proveEntry.toLocaleString('en-US')} yet: it ends with ${head.position.toLocaleString('en-US')}. If you hold its hash, entries were cut off.`,
    );
  const actor = isAdmin ? userId : user.userId;
  const last = to ? await readHead(db, to) : head;
  const key = phone === undefined ? undefined : keyOf(phone);
  const subject = key === undefined ? undefined : Buffer.from(vault.fingerprint(key), 'hex');
  const number =
    key === undefined || subject === undefined
      ? undefined
      : await numberScope(db, { key, subject, last, reader: isAdmin ? undefined : user.userId });
  const conditions = [
    sql<boolean>`entry.position between ${await firstPosition(db, from)} and ${last.position}`,
    ...(actor === undefined ? [] : [sql<boolean>`entry.actor_id = ${actor}`]),
    ...(listId === undefined ? [] : [sql<boolean>`entry.list_id = ${listId}`]),
    ...(exportId === undefined
      ? []
      : [sql<boolean>`entry.kind like 'export.%' and entry.facts ->> 'export' = ${exportId}`]),
    ...(number ? [number.condition] : []),
  ];
  return { head, condition: sql.join(conditions, sql` and `), subject, number, proveEntry };
}

async function numberScope(
  db: Db,
  { key, subject, last, reader }: { key: string; subject: Buffer; last: ChainHead; reader: string | undefined },
): Promise<NumberScope> {
  const erasedHash = await hashOf(db, key);
  // Found first: no plan may read the whole chain for a few entries of one number.
  const positions = await positionsOf(db, subject, erasedHash);
  const condition = sql<boolean>`entry.position = any(${positions}::bigint[]) and entry.position <= ${last.position}`;
  return { key, condition, reader, erasedHash };
}

/**
 * Requires that a list and an export are the caller's. A list that is gone is known by its entries.
 * @throws NOT_FOUND
 */
async function requireOwn(
  db: Db,
  userId: string,
  { listId, exportId }: Pick<PackQuestion, 'listId' | 'exportId'>,
): Promise<void> {
  if (listId === undefined && exportId === undefined) return;
  const { rows } = await sql<{ list: boolean; export: boolean }>`
    select ${listId ?? null}::uuid is null or exists (
        select from public.lists where id = ${listId ?? null} and user_id = ${userId}) or exists (
        select from app.evidence where list_id = ${listId ?? null} and actor_id = ${userId}) as list,
      ${exportId ?? null}::text is null or exists (
        select from app.evidence where kind like 'export.%' and facts ->> 'export' = ${exportId ?? null}
          and actor_id = ${userId}) as export
  `.execute(db);
  if (!rows[0]?.list) throw new AppError('NOT_FOUND', 'This list was not found.');
  if (!rows[0].export) throw new AppError('NOT_FOUND', 'This export was not found.');
}

function keyOf(phone: string): string {
  const key = phoneSubject(phone);
  if (!key) throw new AppError('VALIDATION_FAILED', whyNoPhone(phone));
  return key;
}

async function hashOf(db: Db, key: string): Promise<string | undefined> {
  const { rows } = await sql<{
    hash: string;
  }>`select encode((app.contact_hashes(array[${key}]))[1], 'hex') as hash`.execute(db);
  return rows[0]?.hash;
}

/** Times never go back along the chain, so a period is a stretch of positions. */
async function firstPosition(db: Db, from: string | undefined): Promise<number> {
  if (from === undefined) return 1;
  return (await readHead(db, from)).position + 1;
}

async function positionsOf(db: Db, subject: Buffer, erasedHash: string | undefined): Promise<number[]> {
  const { rows } = await sql<{ position: number }>`
    select entry.position from app.evidence_subjects as named join app.evidence as entry on entry.ticket = named.ticket
    where named.subject = ${subject}
    union
    select position from app.evidence where kind = 'contact.erased' and facts ->> 'hash' = ${erasedHash ?? null}
    order by 1
  `.execute(db);
  return rows.map(({ position }) => position);
}
