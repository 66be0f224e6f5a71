import { domainToASCII } from 'node:url';
import { parse } from 'tldts';

const LOCAL = /^[a-z\d](?:[a-z\d._%+'&-]{0,62}[a-z\d_+-])?$/;
const HOST = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,60}[a-z\d]$/;

/** Domains of examples, of form texts, and of programs that report errors. Subdomains count too. */
const NO_ONES = new Set(
  `example.com example.org example.net domain.com yourdomain.com yourcompany.com yourbusiness.com yourwebsite.com
  yoursite.com mydomain.com mycompany.com mysite.com company.com website.com email.com address.com site.com test.com
  sentry.io wixpress.com sentry-next.wixpress.com godaddy.com squarespace.com wix.com wordpress.com wordpress.org
  w3.org schema.org googleapis.com gstatic.com google-analytics.com googletagmanager.com jsdelivr.net cloudflare.com
  bugsnag.com rollbar.com datadoghq.com newrelic.com fontawesome.com placeholder.com domain.example yourdomain.example
  reallygreatsite.com demo.com sample.com admin.com doe.com abc.com xyz.com`.split(/\s+/),
);
/** What templates write for a domain, under whichever ending: "your-company-name.com", "example.co.uk". */
const NO_ONES_NAME =
  /^(?:(?:your|my)-?(?:own-?)?(?:company|business|web|domain|store|shop|brand|firm|theme|e?mail|site)?-?(?:site|domain|store|shop|brand|company|business|firm|theme|name|e?mail)|(?:company|business|domain|site|website|brand|store|shop|firm|theme)-?name|examples?|placeholder)$/;
const NO_ONES_LOCAL =
  /^(?:user(?:name)?|your[._-]?(?:name|email|mail)|you|(?:first|last)[._-]?name|name|(?:first(?:[._-]?name)?|f)[._-]last(?:[._-]?name)?|(?:first|f)[._-]?(?:initial[._-]?)?last[._-]?name|name[._-]?surname|e?mail[._-]?address|example|sample|placeholder|your|test|someone|john[._-]?doe|jane[._-]?doe|xxx+)$/;
/** Mailboxes of machines, and of those who look after the mail itself. */
const UNREAD_LOCAL =
  /^(?:(?:[a-z]+[._-])?no[._-]?reply(?:[._-]?[a-z\d]+)?|do[._-]?not[._-]?reply\d*|bounces?|mailer-daemon|postmaster|abuse)$/;
/** What a person is to take out of an address before writing to it. */
const TO_REMOVE = /no[._-]?spam|anti[._-]?spam|(?:remove|delete)[._-]?(?:this|me(?![a-z]))/;
/** What trackers and builds make. */
const MACHINE_LOCAL = /^[\da-f]{16,}$|^[\da-f]{8}-[\da-f]{4}-/;
/** A phone number that stood right in front. Where the address begins, no one knows. */
const GLUED_NUMBER = /\d{3}[-.]\d{3}[-.]\d{4}[a-z]/;
/** "logo@2x.png". */
const ASSET = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|css|m?js|json|woff2?|ttf|eot|mp[34]|webm|pdf|map|html?|php)$/;

/**
 * An address in lower case, its host in ASCII; undefined for what is no address of anyone.
 * - `ownDomain`: the domain of the site. A top-level domain that is not on the public list counts only if it is the site's own.
 */
export function emailAddress(text: string, ownDomain: string): string | undefined {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at).trim().toLowerCase();
  const host = domainToASCII(
    text
      .slice(at + 1)
      .trim()
      .replace(/\.$/, ''),
  ).toLowerCase();
  if (at < 1 || !LOCAL.test(local) || local.includes('..') || !HOST.test(host) || host.length > 200) return undefined;
  if (
    ASSET.test(host) ||
    NO_ONES_LOCAL.test(local) ||
    isUnread(local) ||
    MACHINE_LOCAL.test(local) ||
    GLUED_NUMBER.test(local)
  )
    return undefined;
  if (TO_REMOVE.test(local) || TO_REMOVE.test(host)) return undefined;
  const labels = host.split('.');
  if (labels.some((_, first) => NO_ONES.has(labels.slice(first).join('.')))) return undefined;
  const { isIcann, isPrivate, domain, domainWithoutSuffix } = parse(host, { allowPrivateDomains: true });
  if (domain !== ownDomain && NO_ONES_NAME.test(domainWithoutSuffix ?? '')) return undefined;
  const known = isIcann || isPrivate || labels.at(-1) === ownDomain.split('.').at(-1);
  return known && domain ? `${local}@${host}` : undefined;
}

/** Whether a mailbox is not for the people of a firm, such as noreply@. `address`: its name alone, or with the host. */
export const isUnread = (address: string): boolean =>
  UNREAD_LOCAL.test(address.replace(/@.*$/, '').trim().toLowerCase());

/** The registrable domain of an address or host; the host itself where it has none. */
export const registrable = (host: string): string =>
  parse(host.slice(host.lastIndexOf('@') + 1), { allowPrivateDomains: true }).domain ?? host;
