/** Not shown, shown far outside of the page, or shown in another order than it is written. */
const HIDDEN_STYLE =
  /display\s*:\s*none|visibility\s*:\s*hidden|(?:^|[;\s])(?:left|top)\s*:\s*-\d{3,}(?:\.\d+)?(?:px|r?em|vw|vh|%)|unicode-bidi\s*:\s*(?:bidi|isolate)-override/i;
const SHOWN_STYLE = /display\s*:\s*(?!none)[a-z]|visibility\s*:\s*visible/i;
/** What is called so is for machines that take addresses. */
const TRAP = /honey-?_?pot|(?:spam|bot|e?mail)-?_?trap/i;
/** The class by which many programs hide something, and those by which they show it on some screens. */
const NEVER_SHOWN = 'd-none';
const SHOWN_AT_TIMES = /^d-(?:sm|md|lg|xl|xxl|print)-/;
/** A whole page may be hidden until its scripts have run. */
const WHOLE = new Set(['html', 'body', 'main']);

type Attributes = Readonly<Record<string, string>>;
/** Whether an element is hidden, as far as the page itself tells. What stands in other files is not asked for. */
type Hides = (name: string, attributes: Attributes) => boolean;

/** Reads the styles of a page. */
export function hidesOf(html: string): Hides {
  const selectors = hidingSelectors(html);
  return (name, { hidden, style = '', class: classes = '', id = '' }) => {
    if (hidden !== undefined || HIDDEN_STYLE.test(style)) return true;
    if (WHOLE.has(name)) return false;
    const named = classes.split(/\s+/).filter(Boolean);
    if (named.includes(NEVER_SHOWN) && !named.some((one) => SHOWN_AT_TIMES.test(one))) return true;
    return [...named.map((one) => `.${one}`), ...(id ? [`#${id}`] : [])].some(
      (one) => TRAP.test(one) || selectors.has(one) || selectors.has(`${name}${one}`),
    );
  };
}

/** One class or id, perhaps of one kind of element. What is hidden only within something else, or at times, is not told by these. */
const PLAIN_SELECTOR = /^[a-z\d]*[.#][\w-]+$/i;
const NAMES = /[.#][\w-]+/g;
/** No page that is written for people has more in its own styles. */
const MOST_BRACES = 40_000;

/** Selectors that hide what they stand for, on every screen, and that no other rule shows. */
function hidingSelectors(html: string): ReadonlySet<string> {
  const hiding = new Set<string>();
  const shown = new Set<string>();
  for (const { selector, body, isNested } of rulesOf(stylesOf(html))) {
    if (SHOWN_STYLE.test(body)) for (const [name] of selector.matchAll(NAMES)) shown.add(name);
    if (isNested || !HIDDEN_STYLE.test(body)) continue;
    for (const one of selector.split(',')) if (PLAIN_SELECTOR.test(one.trim())) hiding.add(lowerKind(one.trim()));
  }
  return new Set([...hiding].filter((one) => !shown.has(one.slice(one.search(/[.#]/)))));
}

const lowerKind = (selector: string): string => selector.replace(/^[a-z\d]+/i, (kind) => kind.toLowerCase());

const OTHER_MEDIA = /\smedia\s*=\s*["']?\s*(?!all\b|screen\b)[a-z]/i;

/** What stands in the page's own elements for styles, but for those for paper and the like, for browsers without scripts, and in comments. */
function stylesOf(html: string): string {
  const styles: string[] = [];
  const text = without(without(html, /<!--/g, /-->/g), /<noscript\b/gi, /<\/noscript\b/gi);
  for (let from = 0; ; ) {
    const tag = next(text, /<style\b/gi, from);
    const begin = tag && next(text, />/g, tag.to);
    const end = begin && next(text, /<\/style\b/gi, begin.to);
    if (!end) break;
    if (!OTHER_MEDIA.test(text.slice(tag.to, Math.min(begin.from, tag.to + 500))))
      styles.push(text.slice(begin.to, end.from));
    from = end.to;
  }
  return without(styles.join('\n'), /\/\*/g, /\*\//g);
}

/** A text without the parts between these, the last of which may have no end. */
function without(text: string, open: RegExp, close: RegExp): string {
  const parts: string[] = [];
  let from = 0;
  for (let begin = next(text, open, 0); begin; begin = next(text, open, from)) {
    parts.push(text.slice(from, begin.from));
    from = next(text, close, begin.to)?.to ?? text.length;
  }
  return [...parts, text.slice(from)].join(' ');
}

/** Where an expression next matches. */
function next(text: string, expression: RegExp, at: number): { from: number; to: number } | undefined {
  expression.lastIndex = at;
  const found = expression.exec(text);
  return found ? { from: found.index, to: expression.lastIndex } : undefined;
}

/** Rules, with whether they stand within another, such as one for some screens. */
function* rulesOf(text: string): Generator<{ selector: string; body: string; isNested: boolean }> {
  let depth = 0;
  let selector = '';
  let from = 0;
  let left = MOST_BRACES;
  for (const found of text.matchAll(/[{}]/g)) {
    left -= 1;
    if (left < 0) return;
    const part = text.slice(from, found.index);
    from = found.index + 1;
    if (found[0] === '{') {
      depth += 1;
      selector = part.slice(part.lastIndexOf(';') + 1).trim();
    } else {
      if (selector !== '' && !selector.startsWith('@')) yield { selector, body: part, isNested: depth > 1 };
      selector = '';
      depth = Math.max(0, depth - 1);
    }
  }
}
