const ADDRESSES = /\b(?:e-?mails?|mail addresses|addresses|contact (?:details|data|information))\b/gi;
const NO =
  /\b(?:prohibit|forbid|not (?:be )?(?:permitted|allowed|authori[sz]ed)|may not|must not|do not|don['’]t|cannot|no (?:permission|consent)|not consent|object to|without (?:our |the )?(?:prior |express )*(?:written )?(?:consent|permission))\w*/gi;
const TAKE = /\b(?:harvest|scrap(?:e|ing)|crawl|spider)\w*/gi;
/** Taking by machines, in other words. */
const BY_MACHINE = /\b(?:automat|robot|bots?\b|script|software)\w*/gi;
const GATHER = /\b(?:collect|gather|extract|copy)\w*/gi;
const UNWANTED = /\b(?:unsolicited|spam|advertis)\w*/gi;

/**
 * Words in their order, at most `REACH` apart, of sentences that refuse the taking of addresses, or say that they are given to no one for
 * mailing, as 15 U.S.C. 7704(b)(1)(A) describes such a notice. The last is the one that German sites carry.
 */
const NOTICES: readonly (readonly RegExp[])[] = [
  [NO, TAKE, ADDRESSES],
  [TAKE, ADDRESSES, NO],
  [NO, BY_MACHINE, GATHER, ADDRESSES],
  [BY_MACHINE, GATHER, ADDRESSES, NO],
  [
    /\b(?:not|never) (?:give|sell|share|rent|transfer|provide)\b/gi,
    /\baddresses\b/gi,
    /\b(?:initiat|send|electronic mail|unsolicited|marketing messages)/gi,
  ],
  [ADDRESSES, UNWANTED, NO],
  [NO, ADDRESSES, UNWANTED],
  [/\bkontaktdaten\b/gi, /\bwerbung\b/gi, /\b(?:widersprochen|untersagt)/gi],
];
const REACH = 160;
/** Without one of these, a sentence is no notice: most pages are passed over by this alone. */
const HINT = /harvest|scrap|crawl|spider|automat|robot|addresses|unsolicited|spam|advertis|werbung/i;
const SENTENCE_END = /\n|(?<=[.!?]) /;
const LONGEST_WORDS = 400;

/** The words of a notice against taking addresses from the site, wherever they stand on a page; undefined without one. */
export function harvestingNotice(text: string): string | undefined {
  if (!HINT.test(text)) return undefined;
  const plain = text.replace(/[^\S\n]+/g, ' ');
  const known = new Map<RegExp, Part[]>();
  const partsOf = (words: RegExp) => {
    const parts = known.get(words) ?? [...plain.matchAll(words)].map(partOf);
    known.set(words, parts);
    return parts;
  };
  let first: { from: number; sentence: string } | undefined;
  for (const notice of NOTICES)
    for (const { from } of inOrder(plain, notice, partsOf)) {
      if (first && from >= first.from) break;
      const sentence = sentenceAt(plain, from);
      if (HINT.test(sentence)) first = { from, sentence };
    }
  return first?.sentence;
}

type Part = { from: number; to: number };
const partOf = ({ 0: { length }, index }: RegExpExecArray): Part => ({ from: index, to: index + length });

/** Where words follow each other in one sentence. Goes once along each kind of word: a page may be made of nothing else. */
function inOrder(text: string, words: readonly RegExp[], partsOf: (words: RegExp) => Part[]): Part[] {
  const [begin, ...others] = words;
  let reached = begin ? partsOf(begin) : [];
  for (const other of others) {
    if (reached.length === 0) return [];
    let at = -1;
    reached = partsOf(other).flatMap(({ from, to }) => {
      while ((reached[at + 1]?.to ?? Number.POSITIVE_INFINITY) <= from) at += 1;
      const before = reached[at];
      if (!before || from - before.to > REACH || SENTENCE_END.test(text.slice(before.to, from))) return [];
      return [{ from: before.from, to }];
    });
  }
  return reached;
}

/** The sentence in which words begin at `at`, from there on if it begins far before. */
function sentenceAt(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - LONGEST_WORDS), at).split(SENTENCE_END);
  const begin = before.length > 1 || at < LONGEST_WORDS ? at - (before.at(-1)?.length ?? 0) : at;
  return (text.slice(begin, begin + 2 * LONGEST_WORDS).split(SENTENCE_END)[0] ?? '').trim().slice(0, LONGEST_WORDS);
}
