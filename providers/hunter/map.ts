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
  // No status: Hunter has not verified the address.
  const status = wire.verification?.status;
  const verification = status ? toVerification(status) : undefined;
  return {
    email,
    type: wire.type === 'personal' ? 'personal' : 'generic',
    confidence,
    ...optional('firstName', wire.first_name),
    ...optional('lastName', wire.last_name),
    ...optional('position', wire.position),
    ...optional('seniority', wire.seniority),
    ...optional('department', wire.department),
    ...(verification === undefined ? {} : { verification, ...verifiedOn(wire.verification?.date) }),
  };
}

/** A status that is new to us says nothing either way. */
export const toVerification = (status: string): EmailVerification =>
  verifications.find((known) => known === status) ?? 'unknown';

/** Hunter gives a date, or a date with a time. */
function verifiedOn(date: string | null | undefined): { verifiedOn?: string } {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(date ?? '')?.[0];
  return day !== undefined && Number.isFinite(Date.parse(day)) ? { verifiedOn: day } : {};
}

function optional<Name extends string>(name: Name, value: string | null | undefined): { [key in Name]?: string } {
  const text = value?.trim();
  return text ? ({ [name]: text } as { [key in Name]: string }) : {};
}
