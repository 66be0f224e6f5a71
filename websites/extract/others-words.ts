const PART =
  'areas?|bod(?:y|ies)|box(?:es)?|cards?|containers?|content|entry|entries|feed|grid|items?|lists?|sections?|sliders?|text|threads?|widgets?|wrap(?:per)?';
/** What visitors write, whatever else stands in the name of its place. */
const CLEAR = /^(?:testimonials?|guestbooks?|comments|reviews|hreview)$/;
/** A firm may offer one as well, such as a "case review". Only these then stand in front of it, and behind it. */
const ONE = /^(?:comment|review)$/;
const IN_FRONT =
  /^(?:li|div|[hpu]|single|wc|woocommerce|wp|block|elementor|et|pb|spr|yotpo|ti|rplg|fb|facebook|google|yelp|blog|post|user|client|customer|guest|visitor|patient|product)s?$/;
const BEHIND = new RegExp(
  `^(?:${PART}|author|meta|header|footer|inner|message|quote|block|holder|details|description|row|col|column|slide|even|odd)$`,
);
/** With one of these, a name is of a form, of a link or of a whole page. */
const BESIDE =
  /^(?:forms?|contacts?|respond|reply|links?|buttons?|btn|counts?|number|cta|titles?|head(?:ing|line)s?|write|leave|add|submit|send|has|have|no|not|without|with|open|closed|enabled|disabled|nav|menu|policy|pages?|archive|template|layout|type|us|request|questions?|suggestions?|sidebar|hero|banner|main|site)$/;
/** Names in other words. */
const NAMES = /^(?:disqus[-_]thread|dsq-.*|jdgm-rev(?:[-_].*)?|guest[-_]book(?:[-_]entry)?)$/i;
/** "commentlist" is one word to those who wrote it. */
const GLUED = new RegExp(`^(comments?|reviews?|testimonials?|guestbook)(?:${PART})$`);
const ITEM = /^\s*(?:reviews?|comments?|reviewBody|commentText)\s*$/i;
const TYPE = /(?:^|[/:])(?:\w*Review|\w*Comments?)\/?\s*$/;
/** A page that has comments may say so on these, and a form for them may hold anything. */
const WHOLE = new Set(['html', 'body', 'main', 'form']);
/** Longer ones are no names. */
const LONGEST_NAME = 100;

/** Whether an element holds what visitors wrote, and not the firm, as programs for websites, themes and data in pages say it. */
export const isOfVisitors = (name: string, attributes: Readonly<Record<string, string>>): boolean =>
  !WHOLE.has(name) &&
  (ITEM.test(attributes.itemprop ?? attributes.property ?? '') ||
    TYPE.test(attributes.itemtype ?? attributes.typeof ?? '') ||
    namesOf(name, attributes).some(isPlaceOfVisitors));

function namesOf(element: string, attributes: Readonly<Record<string, string>>): string[] {
  const {
    id = '',
    class: classes = '',
    'data-hook': hook = '',
    'data-testid': testId = '',
    'data-aid': aid = '',
  } = attributes;
  // An element of a name with a hyphen is one that the page defines itself.
  const own = element.includes('-') ? [element] : [];
  return [...own, id, hook, testId, aid, ...classes.split(/\s+/)].filter(
    ({ length }) => length > 0 && length <= LONGEST_NAME,
  );
}

function isPlaceOfVisitors(name: string): boolean {
  if (NAMES.test(name)) return true;
  const words = name
    .replace(/([a-z])(?=[A-Z])/g, '$1-')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
    .map((word) => GLUED.exec(word)?.[1] ?? word);
  if (words.some((word) => BESIDE.test(word))) return false;
  if (words.some((word) => CLEAR.test(word))) return true;
  const at = words.findIndex((word) => ONE.test(word));
  return (
    at >= 0 &&
    words.slice(0, at).every((word) => IN_FRONT.test(word)) &&
    words.slice(at + 1).every((word) => BEHIND.test(word))
  );
}
