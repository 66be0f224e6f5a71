const LOCAL_PART = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN_LABEL = /^[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
/** RFC 5321, 4.5.3.1: what a path may hold, and a local part. */
const MAX_LENGTH = 254;
const MAX_LOCAL_PART = 64;

/**
 * The one form of an address: trimmed and lower-case. Undefined when it is none. Characters that only look like others
 * (full width letters, the Kelvin sign) are refused, because their normalized twin may be someone else's address.
 */
export function normalizeEmail(input: string): string | undefined {
  const given = input.trim();
  if (given.length > MAX_LENGTH || given !== given.normalize('NFKC')) return undefined;
  const email = given.toLowerCase();
  const at = email.lastIndexOf('@');
  const local = email.slice(0, Math.max(at, 0));
  const labels = email.slice(at + 1).split('.');
  const valid =
    email === email.normalize('NFKC') &&
    email.length <= MAX_LENGTH &&
    local.length <= MAX_LOCAL_PART &&
    LOCAL_PART.test(local) &&
    labels.length >= 2 &&
    labels.every((label) => DOMAIN_LABEL.test(label));
  return valid ? email : undefined;
}
