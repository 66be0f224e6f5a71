const ADDRESSES = `(?:e-?mails?|mail addresses|addresses|contact (?:details|data|information))`;
const NO = `(?:prohibit|forbid|not (?:be )?(?:permitted|allowed|authori[sz]ed)|may not|must not|do not|don['’]t|cannot|no (?:permission|consent)|not consent|object to|without (?:our |the )?(?:prior |express )*(?:written )?(?:consent|permission))`;
const TAKE = `(?:harvest|scrap(?:e|ing)|crawl|spider)`;
/** Taking by machines, in other words. */
const BY_MACHINE = '(?:automat|robot|bots?\\b|script|software)';
const GATHER = '(?:collect|gather|extract|copy)';
const REACH = '.{0,160}?';

/**
 * Sentences that refuse the taking of addresses, or say that they are given to no one for mailing, as 15 U.S.C. 7704(b)(1)(A)
 * describes such a notice. The last is the one that German sites carry.
 */
const NOTICES = [
  `\\b${NO}\\w*\\b${REACH}\\b${TAKE}\\w*\\b${REACH}\\b${ADDRESSES}\\b`,
  `\\b${TAKE}\\w*\\b${REACH}\\b${ADDRESSES}\\b${REACH}\\b${NO}`,
  `\\b${NO}\\w*\\b${REACH}\\b${BY_MACHINE}\\w*${REACH}\\b${GATHER}\\w*\\b${REACH}\\b${ADDRESSES}\\b`,
  `\\b${BY_MACHINE}\\w*${REACH}\\b${GATHER}\\w*\\b${REACH}\\b${ADDRESSES}\\b${REACH}\\b${NO}`,
  `\\b(?:not|never) (?:give|sell|share|rent|transfer|provide)\\b${REACH}\\baddresses\\b${REACH}\\b(?:initiat|send|electronic mail|unsolicited|marketing messages)`,
  `\\b${ADDRESSES}\\b${REACH}\\b(?:unsolicited|spam|advertis)\\w*\\b${REACH}\\b${NO}`,
  `\\b${NO}\\w*\\b${REACH}\\b${ADDRESSES}\\b${REACH}\\b(?:unsolicited|spam|advertis)`,
  `\\bkontaktdaten\\b${REACH}\\bwerbung\\b${REACH}\\b(?:widersprochen|untersagt)`,
].map((pattern) => new RegExp(pattern, 'i'));
/** Without one of these, a sentence is no notice: most are passed over by this alone. */
const HINT = /harvest|scrap|crawl|spider|automat|robot|addresses|unsolicited|spam|advertis|werbung/i;
const LONGEST_SENTENCE = 600;
/** How much of a page is looked at. */
const MOST_TEXT = 200_000;
const LONGEST_WORDS = 400;

/** The words of a notice against taking addresses from the site; undefined without one. */
export function harvestingNotice(text: string): string | undefined {
  for (const part of text.slice(0, MOST_TEXT).split(/\n|(?<=[.!?])\s/)) {
    const sentence = part.replace(/\s+/g, ' ').trim().slice(0, LONGEST_SENTENCE);
    if (HINT.test(sentence) && NOTICES.some((notice) => notice.test(sentence))) return sentence.slice(0, LONGEST_WORDS);
  }
  return undefined;
}
