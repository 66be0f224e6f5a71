import { createHash } from 'node:crypto';

/** Someone who has an account at the simulated provider. */
export type OidcPerson = { sub: string; email: string; email_verified: boolean; name: string };

/** Who can be chosen on its page. Cleo has never confirmed her address there. */
export const oidcPeople: readonly OidcPerson[] = [
  personAt('ada.marlowe@harbour.example', true, 'Ada Marlowe'),
  personAt('ben.okafor@harbour.example', true, 'Ben Okafor'),
  personAt('cleo.brandt@harbour.example', false, 'Cleo Brandt'),
];

/** Anyone who has that address: always the same. */
export function personAt(address: string, verified: boolean, name?: string): OidcPerson {
  const email = address.trim().toLowerCase();
  const sub = BigInt(`0x${createHash('sha256').update(email).digest('hex')}`)
    .toString()
    .slice(0, 21);
  return { sub, email, email_verified: verified, name: name ?? (email.split('@')[0] || email) };
}
