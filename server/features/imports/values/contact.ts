/** Whole: what is left of "jörg@acme.example" or of a local part that is too long is the address of someone else. */
const EMAIL =
  /(?<![\p{L}\p{N}!#$%&'*+=?^_`{}~.@-])[a-z0-9!#$%&'*+=?^_`{}~.-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}(?!\.?[\p{L}\p{N}_@-])/iu;
const ONLY_EMAIL = new RegExp(`^${EMAIL.source}$`, 'iu');
/** What stands for no address at all: rows that share one are not one business. */
const PLACEHOLDER = /^(?:none|null|unknown|(?:no|not)[._-]?(?:e-?mail|address|given|provided|available))@/i;

/** The first email address of a cell, its domain in lower case. */
export function readEmail(text: string): string | undefined {
  if (!text.includes('@') || text.length > 1_000) return undefined;
  const found = EMAIL.exec(text.replace(/^mailto:/i, ''))?.[0].replace(/^[.']+/, '');
  if (!found || found.length > 254 || !ONLY_EMAIL.test(found) || PLACEHOLDER.test(found)) return undefined;
  const at = found.lastIndexOf('@');
  return found.slice(0, at) + found.slice(at).toLowerCase();
}

const HOST =
  /^(?:[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}])?\.)+\p{L}[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]$/u;

/** The first web address of a cell, with its scheme. What cannot be opened by a browser is none. */
export function readWebsite(text: string): string | undefined {
  const [first = ''] = text.split(/[\s,;|]+/);
  if (first.length > 2_000) return undefined;
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(first) && !/^[^/:]+:\d+(?:\/|$)/.test(first);
  if (hasScheme && !/^https?:\/\//i.test(first)) return undefined;
  const written = hasScheme ? first : `https://${first.replace(/^\/\//, '')}`;
  const host = /^https?:\/\/([^/?#:@]+)(?::\d{1,5})?(?:[/?#]|$)/i.exec(written)?.[1];
  if (!host || !HOST.test(host) || !URL.canParse(written)) return undefined;
  return written.replace(/^https?:\/\/[^/?#]+/i, (origin) => origin.toLowerCase());
}
