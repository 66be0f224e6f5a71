const WHOSE = 'comments?|reviews?|testimonials?|guestbook';
const PART =
  'areas?|bod(?:y|ies)|box(?:es)?|cards?|containers?|content|entry|entries|feed|grid|items?|lists?|sections?|sliders?|text|threads?|widgets?|wrap(?:per)?|\\d+';
/** What programs for websites call the place of comments and reviews. A form to write one is none. */
const NAMES = new RegExp(
  `^(?:(?:${WHOSE})(?:[-_]*(?:${PART}))*|wp-block-(?:latest-)?comments|disqus[-_]thread|fb-comments|hreview)$`,
  'i',
);
const ITEM = /^\s*(?:reviews?|comments?)\s*$/i;
const TYPE = /\/(?:\w*Review|\w*Comments?)\/?\s*$/;
/** A page that has comments may say so on these. */
const WHOLE = new Set(['html', 'body', 'main']);

/** Whether an element holds what visitors wrote, and not the firm. */
export const isOfVisitors = (name: string, attributes: Readonly<Record<string, string>>): boolean =>
  !WHOLE.has(name) &&
  (ITEM.test(attributes.itemprop ?? '') ||
    TYPE.test(attributes.itemtype ?? '') ||
    `${attributes.id ?? ''} ${attributes.class ?? ''}`.split(/\s+/).some((one) => NAMES.test(one)));
