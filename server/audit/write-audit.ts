import { isIP } from 'node:net';
import type { AuditAction } from '#contract/admin/audit.ts';
import type { Db } from '#db/connection/client.ts';
import type { Ctx, PublicCtx } from '#server/http/context.ts';

/** What was done, to whom or what. `target` is an id, an address or a name; `details` never holds a secret. */
export type AuditEntry = { action: AuditAction; target: string; details?: Readonly<Record<string, unknown>> };

export type AuditSource = Pick<PublicCtx, 'ip' | 'requestId'> & {
  user?: Pick<Ctx['user'], 'userId' | 'email' | 'role'>;
};

/**
 * Writes one row of the audit log, in the transaction of the act itself: neither is there without the other.
 * Only administrators' addresses are written down. Anyone else who deletes their account leaves its id.
 */
export async function writeAudit(
  tx: Db,
  ctx: AuditSource,
  { action, target, details = {} }: AuditEntry,
): Promise<void> {
  await tx
    .insertInto('app.audit_log')
    .values({
      actor_id: ctx.user?.userId ?? null,
      actor_email: ctx.user?.role === 'admin' ? ctx.user.email : null,
      action,
      target,
      details: JSON.stringify(details),
      ip: isIP(ctx.ip) ? ctx.ip : null,
      request_id: ctx.requestId || null,
    })
    .execute();
}
