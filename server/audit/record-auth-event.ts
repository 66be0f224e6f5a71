import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { requestScope } from '#server/http/request-scope.ts';
import { type Refusal, recordRefusal } from './record-refusal.ts';
import { writeAudit } from './write-audit.ts';

/** What the backend's sign-in tells of. `ip` is the caller's. */
export type AuthEvent = { ip: string } & (
  | { type: 'signed_in'; userId: string; way: 'link' | 'code' | 'oauth' }
  | { type: 'signed_out'; userId: string; scope: 'global' | 'local' | 'others' }
  | { type: 'email_changed' | 'phone_changed' | 'proven'; userId: string }
  | { type: 'recovery_codes_made' | 'recovery_codes_removed'; userId: string }
  | { type: 'factor_added' | 'factor_removed' | 'stepped_up'; userId: string; factor: string }
  | { type: 'identity_linked' | 'identity_unlinked'; userId: string; provider: string }
  | { type: 'reuse_detected'; userId: string }
  | { type: 'administered'; userId: string; act: string }
  | ({ type: 'refused' } & Refusal)
);

const FACTOR_ACTIONS = {
  factor_added: 'user.factor_added',
  factor_removed: 'user.factor_removed',
  stepped_up: 'session.stepped_up',
} as const;

/** Keeps what happens at sign-in in the audit log, in the transaction that it is told in. */
export function authEventRecorder(vault: Vault): (db: Db, event: AuthEvent) => Promise<void> {
  return async (db, event) => {
    const source = { ip: event.ip, requestId: requestScope.getStore()?.requestId ?? '' };
    if (event.type === 'refused') return recordRefusal(db, vault, source, event);
    const { userId } = event;
    const user = { userId, email: '', role: 'user' } as const;
    const act = { ...source, user };
    switch (event.type) {
      case 'signed_in':
        return writeAudit(db, act, { action: 'session.signed_in', target: userId, details: { way: event.way } });
      case 'signed_out':
        return writeAudit(db, act, { action: 'session.signed_out', target: userId, details: { scope: event.scope } });
      case 'email_changed':
        return writeAudit(db, act, { action: 'user.email_changed', target: userId });
      case 'phone_changed':
        return writeAudit(db, act, { action: 'user.phone_changed', target: userId });
      case 'proven':
        return writeAudit(db, act, { action: 'session.proven', target: userId });
      case 'recovery_codes_made':
        return writeAudit(db, act, { action: 'user.recovery_codes_made', target: userId });
      case 'recovery_codes_removed':
        return writeAudit(db, act, { action: 'user.recovery_codes_removed', target: userId });
      case 'factor_added':
      case 'factor_removed':
      case 'stepped_up':
        return writeAudit(db, act, {
          action: FACTOR_ACTIONS[event.type],
          target: userId,
          details: { factor: event.factor },
        });
      case 'identity_linked':
      case 'identity_unlinked': {
        const action = event.type === 'identity_linked' ? 'identity.linked' : 'identity.unlinked';
        return writeAudit(db, act, { action, target: userId, details: { provider: event.provider } });
      }
      case 'administered':
        return writeAudit(db, source, { action: 'user.administered', target: userId, details: { act: event.act } });
      case 'reuse_detected':
        // No one knows who did that.
        return writeAudit(db, source, { action: 'session.reuse_detected', target: userId });
    }
  };
}
