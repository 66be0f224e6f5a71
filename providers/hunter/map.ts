import type { DomainContact, EmailVerification } from '#providers/provider.ts';
import type { WireEmail } from './api-types.ts';

const verifications: readonly EmailVerification[] = [
  'valid',
  'invalid',
  'accept_all',
  'webmail',
  'disposable',
  'unknown',
];

/** A contact in our words; undefined when its address is none. */
export function toContact(wire: WireEmail): DomainContact | undefined {
  const email = wire.value.trim();
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return undefined;
  const confidence = Math.round(Math.min(100, Math.max(0, wire.confidence ?? 0)));
  const verification = toVerification(wire.verification?.status);
  return {
    email,
    type: wire.type === 'personal' ? 'personal' : 'generic',
    confidence,
    ...optional('firstName', wire.first_name),
    ...optional('lastName', wire.last_name),
    ...optional('position', wire.position),
    ...optional('seniority', wire.seniority),
    ...optional('department', wire.department),
    ...(verification === undefined ? {} : { verification }),
  };
}

/** No status: Hunter has not verified the address. A status that is new to us says nothing either way. */
function toVerification(status: string | null | undefined): EmailVerification | undefined {
  if (!status) return undefined;
  return verifications.find((known) => known === status) ?? 'unknown';
}

function optional<Name extends string>(name: Name, value: string | null | undefined): { [key in Name]?: string } {
  const text = value?.trim();
  return text ? ({ [name]: text } as { [key in Name]: string }) : {};
}
