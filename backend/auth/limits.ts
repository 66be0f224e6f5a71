const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** At most `hits` for an e-mail address or an IP in a fixed window of `windowMs`, counted in the database for all processes. */
export type Limit = { bucket: string; per: 'address' | 'ip'; hits: number; windowMs: number; code: LimitCode };
export type LimitCode = 'over_email_send_rate_limit' | 'over_request_rate_limit';

/** How often something may be tried. Refused tries are counted too. */
export const AUTH_LIMITS = {
  /** Stops double clicks and impatience from filling a mailbox; far below the minute after which people ask again. */
  asksPerAddressShort: {
    bucket: 'auth.ask.address.10s',
    per: 'address',
    hits: 1,
    windowMs: 10 * SECOND,
    code: 'over_email_send_rate_limit',
  },
  /** A person needs one mail, sometimes three; six still let nobody be flooded by a stranger. */
  asksPerAddress: {
    bucket: 'auth.ask.address.1h',
    per: 'address',
    hits: 6,
    windowMs: HOUR,
    code: 'over_email_send_rate_limit',
  },
  /** An office behind one address signs in together in the morning; a script tries thousands. */
  asksPerIp: { bucket: 'auth.ask.ip.1h', per: 'ip', hits: 60, windowMs: HOUR, code: 'over_email_send_rate_limit' },
  /** With five guesses a code, ten guesses an hour find one of a million codes once in eleven years of trying. */
  guessesPerAddress: {
    bucket: 'auth.guess.address.1h',
    per: 'address',
    hits: 10,
    windowMs: HOUR,
    code: 'over_request_rate_limit',
  },
  /** Clicked links count here as well, so it must bear an office. */
  guessesPerIp: { bucket: 'auth.guess.ip.1h', per: 'ip', hits: 100, windowMs: HOUR, code: 'over_request_rate_limit' },
  /** A client refreshes once an hour; each sign-in exchanges once. Too low a limit would sign people out. */
  tokensPerIp: { bucket: 'auth.token.ip.1h', per: 'ip', hits: 1800, windowMs: HOUR, code: 'over_request_rate_limit' },
} as const satisfies Record<string, Limit>;

/** How long things live. */
export const AUTH_LIFETIMES = {
  /** An hour, as the products this protocol comes from. */
  accessTokenSeconds: 3600,
  /** Link and code of a mail. */
  mailMs: HOUR,
  /** From the opened link to the exchange, which the browser does at once. */
  authCodeMs: 5 * MINUTE,
  /** Tabs and retries that refresh the same token within this time get the same session. */
  refreshReuseMs: 10 * SECOND,
  /** Used refresh tokens are remembered this long, so that their theft is noticed. */
  usedRefreshTokenMs: 30 * 24 * HOUR,
} as const;

/** Wrong guesses that burn a code. */
export const GUESSES_PER_CODE = 5;
/** Bytes of a request body. The largest real one is under 1 kB. */
export const BODY_LIMIT = 64 * 1024;
