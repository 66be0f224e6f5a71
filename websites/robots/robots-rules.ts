import robotsParserModule from 'robots-parser';

// Its types describe a module with a default; what is imported is the function itself.
const robotsParser = robotsParserModule as unknown as typeof robotsParserModule.default;

/** What a site lets a robot do, for the pages of one origin. */
export type RobotsRules = {
  allows(url: URL): boolean;
  /** The pause between requests that the site asks for, in ms; 0 where it asks for none. */
  pauseMs: number;
  /** Set where robots.txt could not be asked for: no connection, or none that may be made. */
  ended?: 'unreachable' | 'forbidden';
};

/** Longer pauses that a site asks for are kept up to here: its pages are then read more slowly, not never. */
const LONGEST_PAUSE_MS = 10_000;
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
  const rules = robotsParser(`${origin}/robots.txt`, rulesOnly(answer.text));
  const pause = Number(robotsParser(`${origin}/robots.txt`, answer.text).getCrawlDelay(product) ?? 0) * 1_000;
  return {
    allows: (url) => rules.isAllowed(plainEncoding(url.href), product) !== false,
    pauseMs: Number.isFinite(pause) ? Math.min(Math.max(0, pause), LONGEST_PAUSE_MS) : 0,
  };
}

/**
 * The lines that RFC 9309 defines, in the spelling that the parser compares:
 * - other lines must not end a group
 * - a robot's name ends where its token does
 * - what need not be percent-encoded is the same plain
 */
function rulesOnly(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .flatMap((line) => {
      const [, name = '', value = ''] = /^\s*(user-agent|allow|disallow)\s*:\s*([^#]*)/i.exec(line) ?? [];
      if (!name) return [];
      if (!/^user-agent$/i.test(name)) return [`${name}: ${plainEncoding(value.trim())}`];
      return [`${name}: ${/^(?:\*|[a-z_-]+)/i.exec(value)?.[0] ?? ''}`];
    })
    .join('\n');
}

const plainEncoding = (text: string): string =>
  text.replace(/%(2D|2E|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi, (code) => decodeURIComponent(code));
