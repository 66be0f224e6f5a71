import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import type { AuditSource } from './write-audit.ts';
import { type BoundedKind, writeBounded } from './write-bounded.ts';

/** Someone whom the gate did not let in. `at`: what they were about to do. `email` is normalized. */
export type Refusal = { email: string; reason: string; at: 'precheck' | 'link' | 'sign_in' | 'refresh' };

const REFUSALS: BoundedKind = { bucket: 'audit.refused', overflow: 'access.refusals_unrecorded' };

/** Writes that an address was refused, within bounds: once an hour for each address and reason. */
export function recordRefusal(
  db: Db,
  vault: Vault,
  source: AuditSource,
  { email, reason, at }: Refusal,
): Promise<void> {
  return writeBounded(db, vault, source, REFUSALS, `${reason}:${email}`, {
    action: 'access.refused',
    target: email,
    details: { reason, at },
  });
}
