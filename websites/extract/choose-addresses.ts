import { isMailProvider } from '#websites/mail-providers.ts';
import { registrable } from './email-address.ts';
import type { Address, Written } from './find-addresses.ts';

/** An address with the page that it first stood on. */
export type FoundAddress = Address & { page: string; contact: boolean };

/** A name, within one sentence, and what may stand between it and the address. */
const WHO = String.raw`[\s:|–-]*(?:[\w&' -]|\.(?=\S)|(?<=\b(?:inc|co|ltd|llc))\.){0,40}[.,(:|–-]*\s*$`;
/** Words in front of the address of those who made the page. Many firms design, build or photograph something: only with "by" is it the page. */
const CREDIT = new RegExp(
  String.raw`\b(?:web\s?sites?|web\s?pages?|designs?|designed|develop(?:ed|ment)|built|created|hosted|powered|themes?|maintained|managed|marketing|seo|photos?(?:graphy)?)\s*(?:(?:and|&) \w+ )?by\b${WHO}|\btheme\s+from\b${WHO}|\bweb\s?(?:site\s+)?(?:design(?:er|ed)?|develop(?:er|ed|ment))\b${WHO}|\bsite design\s*:${WHO}|webmaster`,
);
/** The same in shorter words. What else a firm says that someone made may be what it sells. */
const MADE_BY =
  /\b(?:(?:site|page)(?: (?:is |was )?(?:made|built|designed|managed|created|maintained)(?: (?:and|&) \w+)?)?|(?:made|crafted|built) with .{1,10}) by[\s:|–-]*(?:[\w&'-]+(?: [\w&'-]+){0,2} ?)?$/i;
/** What comes with a form, to say what an address looks like. */
const EXAMPLE = /(?<![\w@.-])(?:e\.?g\.?|ex(?:ample|\.|:)|for instance|such as)[\s:,("“]*$/i;
/** Mailboxes that are there for customers. */
const MAILBOX =
  /^(?:info|contact|hello|office|mail|enquir(?:y|ies)|inquir(?:y|ies)|kontakt|welcome|hi|team|admin|frontdesk|reception|appointments?|service|sales|support|help|customerservice|bookings?|reservations?|orders?)$/;
/** At a provider of mailboxes, no firm has these: templates write them, for an example. */
const EXAMPLES_LOCAL = /^(?:e?-?mail|friends?|abc|xyz|demo|domain|company|business|firm)$/;
/** Offices of a state are no firm. A site of theirs has their own domain. */
const OF_STATE = /(?:\.(?:gov|mil)|\bstate\.[a-z]{2}\.us)$/;
/** Mailboxes that are for something else. */
const OTHER_MATTERS =
  /^(?:privacy|legal|dpo|gdpr|dmca|copyright|abuse|security|webmaster|hostmaster|jobs?|careers?|hr|recruit\w*|press|media|pr|billing|accounts?|invoices?|accessibility|compliance|unsubscribe|spam|newsletter)$/;
const WRITTEN: Readonly<Record<Written, number>> = { mailto: 4, json_ld: 4, cloudflare: 3, text: 2, spelled: 1 };

/**
 * The firm's own addresses, best first and each once:
 * - those of the site's registrable domain first, then those of the domain that it moved to, then those of mail providers
 * - those of another domain only where there is no other, a contact page or the page's data names them, and they sign no work on the site;
 *   where several other domains are named, no one knows which is the firm's
 * - none of a host of many businesses, nor of a state's office, of which many sites name the same
 */
export function chooseAddresses(
  found: readonly FoundAddress[],
  site: { own: string; movedTo?: string | undefined; isShared(host: string): boolean },
): FoundAddress[] {
  const kind = ({ email }: Address) => {
    const domain = registrable(email);
    if (domain === site.own) return 3;
    if (domain === site.movedTo) return 2;
    // On its own website, an address at a provider of mailboxes is the firm's.
    return isMailProvider(domain) ? 1 : 0;
  };
  const isSigned = ({ before }: Address) => CREDIT.test(before) || MADE_BY.test(before);
  const signed = new Set(found.filter((one) => kind(one) < 2 && isSigned(one)).map(({ email }) => email));
  const isOffice = ({ email }: Address) => site.isShared(registrable(email)) || OF_STATE.test(email);
  const firms = found.filter((one) => !signed.has(one.email) && !EXAMPLE.test(one.before));
  const close = firms.filter((one) => kind(one) > 1 || (kind(one) === 1 && !isTemplates(one)));
  const others = firms.filter((one) => kind(one) === 0 && isNamed(one) && matters(one) > 0 && !isOffice(one));
  const isClear = new Set(others.map(({ email }) => registrable(email))).size === 1;
  const ranked = (close.length > 0 || !isClear ? close : others).toSorted(
    (a, b) =>
      kind(b) - kind(a) ||
      matters(b) - matters(a) ||
      mailbox(b) - mailbox(a) ||
      WRITTEN[b.written] - WRITTEN[a.written] ||
      compare(a.email, b.email),
  );
  const emails = new Set<string>();
  return ranked.filter(({ email }) => !emails.has(email) && emails.add(email));
}

const isNamed = ({ written, contact }: FoundAddress) => written === 'json_ld' || (written === 'mailto' && contact);
const isTemplates = (one: Address) => mailbox(one) > 0 || EXAMPLES_LOCAL.test(localOf(one));
const localOf = ({ email }: Address) => email.slice(0, email.indexOf('@'));
const matters = (one: Address) => (OTHER_MATTERS.test(localOf(one)) ? 0 : 1);
const mailbox = (one: Address) => (MAILBOX.test(localOf(one)) ? 1 : 0);
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
