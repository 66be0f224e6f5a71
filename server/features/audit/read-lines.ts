import { type Selectable, sql } from 'kysely';
import { AUDIT_ACTIONS, type AuditFilter, type AuditLine } from '#contract/admin/audit.ts';
import type { Db } from '#db/connection/client.ts';
import type { DB } from '#db/types.gen.ts';
import { isUuid } from '#server/runs/rows.ts';

/** Lines that match, the newest first: at most `limit`, and only those that follow line `before`. */
export async function readLines(
  db: Db,
  { group, actor, target, from, to, before }: AuditFilter & { before: number | undefined },
  limit: number,
): Promise<AuditLine[]> {
  let query = db.selectFrom('app.audit_log').selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(limit);
  if (before !== undefined)
    query = query.where(
      sql<boolean>`(at, id) < ((select at from app.audit_log where id = ${before}), ${before}::bigint)`,
    );
  if (group) query = query.where('action', 'in', actionsOf(group));
  if (from) query = query.where('at', '>=', new Date(from));
  if (to) query = query.where('at', '<', new Date(to));
  if (actor) {
    const ids = await accountsLike(db, actor);
    query = query.where(
      sql<boolean>`(actor_id = any(${ids}::uuid[]) or lower(actor_email) like ${beginningWith(actor)})`,
    );
  }
  if (target) {
    const ids = await accountsLike(db, target);
    query = query.where(
      sql<boolean>`(lower(target) = any(${ids}::text[]) or lower(target) like ${beginningWith(target)})`,
    );
  }
  return withAddresses(db, await query.execute());
}

const actionsOf = (group: AuditFilter['group']): string[] =>
  Object.entries(AUDIT_ACTIONS).flatMap(([action, about]) => (about.group === group ? [action] : []));

/** A LIKE pattern for what begins with `text`, whose own wildcards mean themselves. */
const beginningWith = (text: string): string => `${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Ids of the accounts whose address begins with `text`; an id is itself. */
async function accountsLike(db: Db, text: string): Promise<string[]> {
  if (isUuid(text)) return [text];
  const accounts = await db
    .selectFrom('app.profiles')
    .select('user_id')
    .where(sql<string>`lower(email)`, 'like', beginningWith(text))
    .execute();
  return accounts.map((account) => account.user_id);
}

/** Lines hold ids of accounts; people know them by the address that they have today. */
async function withAddresses(db: Db, rows: Selectable<DB['app.audit_log']>[]): Promise<AuditLine[]> {
  const ids = new Set(rows.flatMap((row) => [row.actor_id, row.target]).filter((id) => id !== null && isUuid(id)));
  const accounts = await db
    .selectFrom('app.profiles')
    .select(['user_id', 'email'])
    .where(sql<boolean>`user_id = any(${[...ids]}::uuid[])`)
    .execute();
  const emails = new Map(accounts.map((account) => [account.user_id, account.email]));
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    actor:
      row.actor_id === null && row.actor_email === null
        ? null
        : { id: row.actor_id, email: emails.get(row.actor_id ?? '') ?? row.actor_email },
    action: row.action,
    target: row.target,
    targetEmail: emails.get(row.target ?? '') ?? null,
    details: isRecord(row.details) ? row.details : {},
    ip: row.ip,
    requestId: row.request_id,
  }));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
