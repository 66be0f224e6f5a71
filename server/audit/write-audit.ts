import { isIP } from 'node:net';
import type { Db } from '#db/client.ts';
import type { Ctx, PublicCtx } from '#server/http/context.ts';

/**
 * What was done, to whom or what. `action` is thing.verb, such as `user.role_changed`; `target` an id or an address;
 * `details` never holds a secret.
 */
export type AuditEntry = { action: string; target?: string; details?: Readonly<Record<string, unknown>> };

/** Writes one row of the audit log, in the transaction of the act itself: neither is there without the other. */
export async function writeAudit(
  tx: Db,
  ctx: Pick<PublicCtx, 'ip' | 'requestId'> & { user?: Ctx['user'] },
  { action, target, details = {} }: AuditEntry,
): Promise<void> {
  await tx
    .insertInto('app.audit_log')
    .values({
      actor_id: ctx.user?.userId ?? null,
      actor_email: ctx.user?.email ?? null,
      action,
      target: target ?? null,
      details: JSON.stringify(details),
      ip: isIP(ctx.ip) ? ctx.ip : null,
      request_id: ctx.requestId || null,
    })
    .execute();
}
