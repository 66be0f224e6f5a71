import robotsParserModule from 'robots-parser';

// Its types describe a module with a default; what is imported is the function itself.
const robotsParser = robotsParserModule as unknown as typeof robotsParserModule.default;

/** What a site lets a robot do, for the pages of one origin. */
export type RobotsRules = {
  allows(url: URL): boolean;
  /** The pause between requests that the site asks for, in ms; 0 where it asks for none. */
  pauseMs: number;
  /** Set where robots.txt could not be asked for: no connection, or none that may be made or is of use. */
  ended?: { kind: 'unreachable' | 'refused' | 'forbidden' | 'held' | 'parked' } | { kind: 'elsewhere'; url: URL };
};

/** Longer pauses that a site asks for are kept up to here: its pages are then read more slowly, not never. */
const LONGEST_PAUSE_MS = 10_000;
/** The parser goes along a path for each rule, and for each character behind a "*". A file that asks for more refuses the page. */
const MOST_STEPS = 20_000_000;
const ALL: RobotsRules = { allows: () => true, pauseMs: 0 };
const NOTHING: RobotsRules = { allows: () => false, pauseMs: 0 };

/** The rules by RFC 9309: what can be read binds, 4xx allows everything, and what cannot be asked allows nothing. */
export function robotsRules(
  origin: string,
  product: string,
  answer: { status: number; text: string } | undefined,
): RobotsRules {
  if (!answer || answer.status >= 500 || answer.status < 200) return NOTHING;
  if (answer.status >= 400) return ALL;
  // A redirect that led nowhere within five steps counts as a file that is not there.
  if (answer.status >= 300) return ALL;
  const { rules: lines, pauseSeconds } = rulesFor(product, answer.text);
  const rules = robotsParser(`${origin}/robots.txt`, ['User-agent: *', ...lines].join('\n'));
  const ways = lines.reduce((sum, line) => sum + (line.includes('*') ? line.length - line.indexOf('*') : 1), 0);
  return {
    allows: (url) => {
      const path = literal(plainEncoding(url.pathname + url.search));
      return ways * path.length <= MOST_STEPS && rules.isAllowed(`${url.origin}${path}`, product) !== false;
    },
    pauseMs: Math.min(Math.max(0, (pauseSeconds ?? 0) * 1_000), LONGEST_PAUSE_MS),
  };
}

type Group = { rules: string[]; pauseSeconds?: number };

/**
 * The rules of a file that concern one robot: those of all groups that name it, else those of "*".
 * - The parser would store the rules of each robot of a group, and a hostile file has thousands of both.
 * - Lines that RFC 9309 does not define do not end a group.
 * - A robot's name ends where its token does.
 */
export function rulesFor(product: string, text: string): Group {
  const groups = new Map<string, Group>();
  const wanted = ['*', product.toLowerCase()];
  let named = new Set<string>();
  let isNaming = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^\s*(user-agent|allow|disallow|crawl-delay)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const name = field.toLowerCase();
    if (name === '') continue;
    if (name === 'user-agent') {
      if (!isNaming) named = new Set();
      isNaming = true;
      const robot = (/^(?:\*|[a-z_-]+)/i.exec(value)?.[0] ?? '').toLowerCase();
      if (!wanted.includes(robot)) continue;
      named.add(robot);
      if (!groups.has(robot)) groups.set(robot, { rules: [] });
      continue;
    }
    const own = [...named].flatMap((robot) => groups.get(robot) ?? []);
    if (name === 'crawl-delay') {
      const seconds = Number(value);
      if (Number.isFinite(seconds)) for (const group of own) group.pauseSeconds ??= seconds;
      continue;
    }
    isNaming = false;
    for (const group of own) group.rules.push(`${field}: ${plainEncoding(value.trim()).replace(DOLLAR_WITHIN, '%24')}`);
  }
  return groups.get(product.toLowerCase()) ?? groups.get('*') ?? { rules: [] };
}

/** Only at its end does a "$" of a rule mean the end of the path. */
const DOLLAR_WITHIN = /\$(?=.)/g;
/** Encoded, they stand for themselves; in a rule, "*" and "$" mean something else. */
const literal = (path: string): string => path.replaceAll('*', '%2A').replaceAll('$', '%24');

/** What need not be percent-encoded is the same plain. */
const plainEncoding = (text: string): string =>
  text.replace(/%(2D|2E|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi, (code) => decodeURIComponent(code));
