const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * At most `hits` in a fixed window of `windowMs`, counted in the database for all processes. It counts an email address
 * (a number, an id), the network of an IP, or an address from one network. So strangers spend another count than the
 * person whose address it is.
 */
export type Limit = {
  bucket: string;
  per: 'address' | 'network' | 'address from network';
  hits: number;
  windowMs: number;
  code: LimitCode;
};
export type LimitCode = 'over_email_send_rate_limit' | 'over_sms_send_rate_limit' | 'over_request_rate_limit';

const askedTooOften = { windowMs: HOUR, code: 'over_email_send_rate_limit' } as const;
const textedTooOften = { windowMs: HOUR, code: 'over_sms_send_rate_limit' } as const;
const guessedTooOften = { windowMs: HOUR, code: 'over_request_rate_limit' } as const;

/** An office behind one address signs in together in the morning; a script tries thousands. */
const asksPerIp: Limit = { bucket: 'auth.ask.ip.1h', per: 'network', hits: 60, ...askedTooOften };
/** Clicked links count here as well, so it must bear an office. */
const guessesPerIp: Limit = { bucket: 'auth.guess.ip.1h', per: 'network', hits: 100, ...guessedTooOften };

/** Text messages cost money. Strangers ask for them by any number, the owner of an account for themselves. */
const textsPerIp: Limit = { bucket: 'auth.text.ip.1h', per: 'network', hits: 20, ...textedTooOften };
const textsPerAccount: Limit = { bucket: 'auth.text.account.1h', per: 'address', hits: 10, ...textedTooOften };

/** How often something may be tried. Refused tries are counted too. Always named in this order. */
export const AUTH_LIMITS = {
  /** Counted before a body is read. */
  asks: [asksPerIp],
  /** Each network has a count of its own: no one spends another's. */
  mails: [
    /** Stops double clicks and impatience from filling a mailbox; far below the minute after which people ask again. */
    { ...askedTooOften, bucket: 'auth.ask.from.10s', per: 'address from network', hits: 1, windowMs: 10 * SECOND },
    /** A person needs one mail, sometimes three. */
    { ...askedTooOften, bucket: 'auth.ask.from.1h', per: 'address from network', hits: 6 },
  ],
  /** However many networks of strangers ask: a mailbox bears this. Beyond it no one is refused: they share what is on its way. */
  mailsToStrangers: [
    { ...askedTooOften, bucket: 'auth.ask.address.15m', per: 'address', hits: 10, windowMs: 15 * MINUTE },
  ],
  /** For a signed-in user, counted by id. */
  ownMails: [
    { ...askedTooOften, bucket: 'auth.ask.own.10s', per: 'address', hits: 1, windowMs: 10 * SECOND },
    { ...askedTooOften, bucket: 'auth.ask.own.1h', per: 'address', hits: 12 },
  ],
  /** Each costs the owner of the server money: counted for the network that asks, of those that the number's owner has signed in from. */
  texts: [
    { ...textedTooOften, bucket: 'auth.text.from.1m', per: 'address from network', hits: 1, windowMs: MINUTE },
    { ...textedTooOften, bucket: 'auth.text.from.1h', per: 'address from network', hits: 5 },
    textsPerIp,
  ],
  /** From all other networks together. */
  textsToStrangers: [
    { ...textedTooOften, bucket: 'auth.text.address.1m', per: 'address', hits: 1, windowMs: MINUTE },
    { ...textedTooOften, bucket: 'auth.text.address.1h', per: 'address', hits: 5 },
    textsPerIp,
  ],
  /** To numbers that someone who is signed in names, counted for their id. */
  ownTexts: [textsPerAccount],
  /** The same, counted for id and number: who knows a number could otherwise keep its owner from it. */
  namedTexts: [
    { ...textedTooOften, bucket: 'auth.text.factor.1m', per: 'address', hits: 1, windowMs: MINUTE },
    textsPerIp,
  ],
  guesses: [guessesPerIp],
  codeGuesses: [{ ...guessedTooOften, bucket: 'auth.guess.from.1h', per: 'address from network', hits: 10 }],
  /**
   * At codes that other networks have asked for, from networks that their owner has never signed in from. With the
   * guesses of strangers at their own mails, these are about fifty tries an hour. Guessing all the time finds one of a
   * million codes once in two years.
   */
  foreignGuesses: [{ ...guessedTooOften, bucket: 'auth.guess.address.1h', per: 'address', hits: 6 }],
  /** For a signed-in user, counted by id. */
  ownGuesses: [{ ...guessedTooOften, bucket: 'auth.guess.own.1h', per: 'address', hits: 10 }],
  /** A person is asked once at each sign-in, and when they mistype. */
  challenges: [{ ...guessedTooOften, bucket: 'auth.challenge.address.1h', per: 'address', hits: 60 }],
  /**
   * Three codes are right at any time. Who holds the mailbox and guesses this often all the time finds one once in four years; the
   * owner has to wait meanwhile, and can end that session.
   */
  factorGuesses: [{ ...guessedTooOften, bucket: 'auth.factor.address.1h', per: 'address', hits: 10 }],
  /** Sign-ins that begin at someone else's; each leaves a row behind until it comes back. */
  departures: [{ ...guessedTooOften, bucket: 'auth.oauth.ip.1h', per: 'network', hits: 200 }],
  /** A client refreshes once an hour; each sign-in exchanges once. Too low a limit would sign people out. */
  tokens: [{ ...guessedTooOften, bucket: 'auth.token.ip.1h', per: 'network', hits: 1800 }],
} as const satisfies Record<string, readonly Limit[]>;

/** How long things live. */
export const AUTH_LIFETIMES = {
  /** An hour, as the products this protocol comes from. */
  accessTokenSeconds: 3600,
  /** The link of a mail. */
  mailMs: HOUR,
  /** The code of a mail or a text message. */
  codeMs: 10 * MINUTE,
  /** To prove a factor that was asked for, as in GoTrue. */
  challengeMs: 5 * MINUTE,
  /** From the opened link, or a provider's answer, to the exchange, which the browser does at once. */
  authCodeMs: 5 * MINUTE,
  /** From the way out to a provider to the way back: people may have to look for their phone there. */
  oauthStateMs: 10 * MINUTE,
  /** Tabs and retries that refresh the same token within this time get the same session. */
  refreshReuseMs: 10 * SECOND,
  /** How long a new signing key is published before it signs: by then everyone who holds the published keys has it. */
  keyPublishedMs: 10 * MINUTE,
  /** How long a replaced signing key is believed: the life of what it signed, and of the memory of those who still sign with it. */
  keyRetiredMs: 2 * HOUR,
  /** Used refresh tokens are remembered this long, so that their theft is noticed. */
  usedRefreshTokenMs: 30 * 24 * HOUR,
} as const;

/** Wrong guesses that burn a code. The link of its mail goes on working: no one guesses that. */
export const GUESSES_PER_CODE = 5;
/** Bytes of a request body. The largest real one is under 1 kB. */
export const BODY_LIMIT = 64 * 1024;
