import type { DomainContact, EmailVerification } from '#providers/provider.ts';
import { isUnread } from '#websites/extract/email-address.ts';

/** `checkedOn`: the day of its verification, as 2026-11-25; a status without one is left out. */
export type ChosenEmail = {
  email: string;
  confidence: number;
  verified: boolean | null;
  status: EmailVerification | null;
  checkedOn: string | null;
};
export type ChosenOwner = { name: string; title: string | null };

/** Higher is better. An address that was found not to work is still shown, last and marked. */
const VERIFICATION: Readonly<Record<EmailVerification, number>> = {
  valid: 4,
  accept_all: 3,
  webmail: 3,
  unknown: 3,
  disposable: 1,
  invalid: 0,
};
const NOT_VERIFIED = 2;

/**
 * Returns the best address of a domain. A machine's, such as noreply@, is none. By these, in order:
 * - its verification
 * - a person's before a shared mailbox: an offer reaches someone who decides
 * - the owner's
 * - confidence, then the alphabet, so that every run chooses the same
 */
export function chooseEmail(contacts: readonly DomainContact[]): ChosenEmail | undefined {
  const [best] = contacts
    .filter(({ email }) => email !== '' && !isUnread(email))
    .toSorted(
      (a, b) =>
        verification(b) - verification(a) ||
        personal(b) - personal(a) ||
        rank(b) - rank(a) ||
        b.confidence - a.confidence ||
        compare(a.email, b.email),
    );
  if (!best) return undefined;
  return {
    email: best.email,
    confidence: Math.round(best.confidence),
    verified: verified(best),
    status: best.verifiedOn === undefined ? null : (best.verification ?? null),
    checkedOn: best.verification === undefined ? null : (best.verifiedOn ?? null),
  };
}

const verification = ({ verification: status }: DomainContact) => (status ? VERIFICATION[status] : NOT_VERIFIED);
const personal = ({ type }: DomainContact) => (type === 'personal' ? 1 : 0);
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function verified({ verification: status }: DomainContact): boolean | null {
  if (status === 'valid') return true;
  return status === 'invalid' ? false : null;
}

/** Who decides in a business, best first. A vice president is not the president. */
const POSITIONS: readonly RegExp[] = [
  /\b((?:co-?)?owner|proprietor|proprietress|franchisee|landlord)\b/i,
  /\b(co-?)?founder\b/i,
  /\b(ceo|chief executive( officer)?|managing director|managing (partner|member))\b/i,
  /(?<!\bvice[- ])\bpresident\b/i,
  /\b(principal|partner|chair(man|woman|person)?)\b/i,
  /\b(c[ofmt]o|chief \w+( officer)?|executive director)\b/i,
  /\b(general manager|director|vice[- ]president|vp)\b/i,
];
const NOT_ANY_OWNER = /\b(product|process|asset|account) owner\b|\bassistant to\b/i;

/** 0: not someone who can be called the owner. */
function rank({ position, seniority }: DomainContact): number {
  const title = position ?? '';
  const found = NOT_ANY_OWNER.test(title) ? -1 : POSITIONS.findIndex((pattern) => pattern.test(title));
  if (found >= 0) return POSITIONS.length + 1 - found;
  return seniority?.toLowerCase() === 'executive' ? 1 : 0;
}

/** The person who most likely owns or leads the business, by position, else by seniority. No one rather than just anyone. */
export function chooseOwner(contacts: readonly DomainContact[]): ChosenOwner | undefined {
  const [best] = contacts
    .filter((contact) => rank(contact) > 0 && nameOf(contact) !== '')
    .toSorted((a, b) => rank(b) - rank(a) || b.confidence - a.confidence || compare(nameOf(a), nameOf(b)));
  return best && { name: nameOf(best), title: best.position?.trim() || null };
}

const nameOf = ({ firstName, lastName }: DomainContact): string =>
  [firstName, lastName]
    .map((part) => part?.trim() ?? '')
    .filter(Boolean)
    .join(' ');
