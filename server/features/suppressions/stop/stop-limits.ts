const HOUR_MS = 3_600_000;

/** How often strangers may use the page. Counted in the database for all processes, refused tries too. */
export const STOP_LIMITS = {
  /** A family asks for a few numbers; a script for thousands. */
  asksOfNetwork: { bucket: 'stop.ask.ip.1h', hits: 20, windowMs: HOUR_MS },
  guessesOfNetwork: { bucket: 'stop.guess.ip.1h', hits: 60, windowMs: HOUR_MS },
  /** Guesses at codes for one contact, from everywhere. Beyond them codes must be asked for again. */
  guessesAtContact: { bucket: 'stop.guess.contact.1h', hits: 30, windowMs: HOUR_MS },
} as const;

/** Codes to one contact that strangers can have sent, from everywhere together. */
export const SENT_AN_HOUR = 3;
export const SENT_A_DAY = 8;
/** Texts that the workspace sends to strangers in a day. Beyond them an administrator decides. */
export const TEXTS_A_DAY = 50;
/** Requests of one network that wait for an administrator at a time, so that no one fills the list alone. */
export const MOST_OF_NETWORK = 50;
/** Wrong tries at the code of one request. */
export const MOST_TRIES = 5;
