import { MARKETING_NOTICES } from './marketing-notice.ts';
import type { PageContent } from './read-page.ts';

/** "Email" alone is no address: "email us for a tour". What someone's own address is called, "your address", is of privacy policies. */
const ADDRESSES =
  /(?<!\byours? )\b(?:(?:e-?mail|mail) address(?:es)?|addresses|contact (?:details|data|information)|e-?mails? (?=harvest|scrap|collect|extract|spider)|(?:harvest|scrap|collect|extract)\w* (?:(?:of|any|all|our|these|the|and|or) )*e-?mails?)\b|\be-?mails\b/gi;
/** Also in the words of the oldest notices: "do not email us advertising". */
const EMAILS = /\b(?:e-?mails?|mail addresses|addresses|contact (?:details|data|information))\b/gi;
const NO =
  /\b(?:prohibit|forbid|viola(?:te|ti)|un(?:authori[sz]ed)|unlawful|illegal|not (?:be |to be )?(?:permit|allow|authori[sz]ed|tolerate)|may not|must not|shall not|should not|(?:is|are) not to|agree not to|refrain from|do not|don['’]t|cannot|no (?:permission|consent)|not consent|object(?:ed)? to|no (?=(?:[\w-]+ ){0,3}(?:harvest|scrap|crawl|spider))|without (?:our |the )?(?:prior |express )*(?:written )?(?:consent|permission))\w*/gi;
/** The harvest of a farm is a noun. */
const TAKE =
  /\b(?:harvest\w+|(?<!\b(?:the|our|this|a|at|fall) )harvest\b|scrap(?:e|ing)\w*|crawl(?!\s?space)\w*|spider(?:ing|ed)?\b)/gi;
/** Taking by machines, in other words. */
const BY_MACHINE = /\b(?:automat|robot|(?:spam|ro)?bots?\b|script|software|spider|crawler|data[- ]mining)\w*/gi;
const GATHER = /\b(?:collect|gather|extract|copy)\w*/gi;
const HERE = /\b(?:from|on|of|in) (?:this|these|our|the) (?:\w+ )?(?:web)?(?:sites?|pages?)\b|\bpublished here\b/gi;
const UNWANTED = /\b(?:unsolicited|spam|advertis)\w*/gi;

const GIVE = '(?:give|sell|share|rent|lease|loan|trade|transfer|provide|disclose|distribute|release|hand out|pass on)';
const GIVEN =
  '(?:given|sold|shared|rented|leased|loaned|traded|transferred|provided|disclosed|distributed|released|handed out|passed on)';
/** The firm says it of itself, and not of its visitors: "if you do not provide". */
const GIVES_NOT = new RegExp(
  String.raw`(?<!\b(?:you|visitors?|users?|customers?|must|may|should) )\b(?:(?:do|does|will|shall|would)(?: not|n['’]t)|won['’]t|never|(?:am|is|are) not going to|not to)(?:,? (?!${GIVE})\w+,?){0,5}? ${GIVE}\b`,
  'gi',
);
const NOT_GIVEN = new RegExp(
  String.raw`\b(?:(?:not|never) (?:\w+ ){0,2}?be|(?:are|is) (?:not|never)) (?:\w+ ){0,2}?${GIVEN}\b`,
  'gi',
);
/** Addresses of visitors and customers are of privacy policies. */
const THEIRS = String.raw`(?:,? \w{1,30}){0,3}?,? (?:(?:of|from|by|about) (?:our |its |the |any |all )?(?:\w+ )?(?:customer|client|visitor|user|subscriber|member|patient|guest|donor|student|parent|child|individual|person|people|you)|(?:(?:that|which) )?(?:you|they|customers|users|visitors) (?:\w+ )?(?:provide|give|submit|enter|share|use))`;
const ANY_ADDRESSES = new RegExp(
  String.raw`(?<!\b(?:yours?|their|his|her|whose|(?:customer|client|visitor|user|subscriber|member|patient|guest|donor)s?['’]?s?)(?: \w+)?(?: e-?mail| mail)? |\bto (?:the |an? |any )?)\b(?:e-?mail |mail |contact )?address(?:es)?\b(?!${THEIRS})`,
  'gi',
);
/** Those that the site shows or keeps. */
const ADDRESSES_HERE =
  /(?<!\bto (?:the |an? |any )?)\baddress(?:es)? (?:(?:that|which) )?(?:(?:is|are|was|were|have been|may be) )?(?:(?:maintained|published|listed|displayed|shown|posted|held|kept|contained|found|available|stated|given|appearing)(?: or \w+)? )?(?:(?:here|by us|on it)\b|(?:by|on|at|in|of|from|through|within) (?:this|these|our|the|its) (?:\w+ ){0,2}?(?:web ?)?(?:sites?|pages?|domains?|online services?)\b)/gi;
/** To send mail to them. */
const TO_MAIL =
  /\bfor (?:(?:the|any|its|their) )?(?:\w+ ){0,2}?purposes? of\b(?:[^.;:!?\n]{0,60}?)\b(?:initiat|send|e-?mail|electronic mail|mail|spam|unsolicited)\w*|\b(?:to|and|or|who|that|can|could|may|will|would|others) (?:\w+ )?initiat\w*|\bto (?:\w+ )?send (?:\w+ ){0,3}?(?:unsolicited|spam|electronic mail|bulk|mass|junk|e-?mails?\b)|\bfor (?:\w+ ){0,3}?(?:unsolicited|spam|mass|bulk|junk)\b(?: \w+)?|\bfor (?:\w+ ){0,3}?(?:e-?mailings?|mailings)\b/gi;
/** To do business with them. */
const TO_TRADE =
  /\bfor (?:[\w-]+,? ){0,5}?(?:marketing|advertis\w+|solicit\w+|promotion\w*|commercial|business)\b|\b(?:initiat\w*|unsolicited|spam|marketing messages)\b/gi;

/** `inOrder`: the words follow each other as they stand here. `ours`: the firm may say of itself what it does not do. */
type Notice = { words: readonly RegExp[]; inOrder?: true; ours?: true };

/**
 * Words, at most `REACH` apart, of sentences that refuse the taking of addresses, or say that they are given to no one for mailing,
 * as 15 U.S.C. 7704(b)(1)(A) describes such a notice. The last two are those that German and Spanish sites carry.
 */
const NOTICES: readonly Notice[] = [
  { words: [NO, TAKE, ADDRESSES] },
  { words: [NO, BY_MACHINE, GATHER, ADDRESSES] },
  { words: [NO, GATHER, ADDRESSES, HERE] },
  { words: [NO, UNWANTED, ADDRESSES] },
  { words: [EMAILS, UNWANTED, NO], inOrder: true },
  { words: [NO, EMAILS, UNWANTED], inOrder: true },
  ...MARKETING_NOTICES.map<Notice>((words) => ({ words, inOrder: true })),
  ...[TO_MAIL, TO_TRADE].flatMap<Notice>((purpose) => {
    const addresses = purpose === TO_MAIL ? ANY_ADDRESSES : ADDRESSES_HERE;
    return [
      { words: [GIVES_NOT, addresses, purpose], inOrder: true, ours: true },
      { words: [addresses, NOT_GIVEN, purpose], inOrder: true, ours: true },
    ];
  }),
  { words: [/\bkontaktdaten\b/gi, /\bwerbung\b/gi, /\b(?:widersprochen|untersagt)/gi], ours: true },
  { words: [/\bproh[ií]b/gi, /\b(?:recopila|recolec|extra[ei])/gi, /\bcorreos? electr[óo]nicos?/gi], ours: true },
];
const REACH = 160;

/** What a privacy policy says of the firm: what it does not do with addresses, or does. */
const OURS =
  /\b(?:we|i|our (?:\w+ )?(?:company|firm|team|staff|practice)) (?:\w+ ){0,2}?(?:never|(?:do|does|did|will|shall|would|can|may|must) ?not|don['’]t|does(?:n['’]t)|won['’]t) (?!(?:\w+ly )?(?:permit|allow|authori[sz]e|consent|tolerate|grant|give (?:our )?(?:permission|consent)))|\bwe (?:may |will |can |might |only |also )*(?:collect|use|share|gather|obtain|store|process|receive|send|ask)\b|\byour e-?mail address(?:es)?\b/i;
/** How far around the words of a notice the firm may speak of itself, in characters. */
const AROUND = 60;

/** Without one of these, a sentence is no notice: most pages are passed over by this alone. */
const HINT =
  /harvest|scrap|crawl|spider|automat|robot|address|unsolicited|spam|advertis|werbung|correo|mailing list|contact (?:details|data|information)/i;
const SENTENCE_END = /\n|(?<=[.!?]) /;
const LONGEST_WORDS = 400;
/** What a cut leaves of a character of two halves. */
const HALF_AT_END = /[\ud800-\udbff]$/;

/** The words of a notice against taking addresses on a page: in what a person reads, in a box of text, or said to machines. */
export const noticeOf = ({ text, boxes, refusal }: PageContent): string | undefined =>
  harvestingNotice(text) ?? harvestingNotice(boxes) ?? refusal?.slice(0, LONGEST_WORDS).replace(HALF_AT_END, '');

/** The words of a notice against taking addresses from the site, wherever they stand in a page's text; undefined without one. */
export function harvestingNotice(text: string): string | undefined {
  if (!HINT.test(text)) return undefined;
  const plain = withIntroductions(sentencesOf(text));
  const known = new Map<RegExp, Part[]>();
  const partsOf = (words: RegExp) => {
    const parts = known.get(words) ?? [...plain.matchAll(words)].map(partOf);
    known.set(words, parts);
    return parts;
  };
  let first: { from: number; sentence: string } | undefined;
  for (const { words, inOrder, ours } of NOTICES)
    for (const { from, to } of inOrder ? following(plain, words, partsOf) : together(plain, words, partsOf)) {
      if (first && from >= first.from) break;
      if (!ours && OURS.test(aroundOf(plain, from, to))) continue;
      const sentence = sentenceAt(plain, from);
      if (HINT.test(sentence)) first = { from, sentence };
    }
  return first?.sentence;
}

/** Words that end no sentence, or begin none. */
const GOES_ON =
  /(?:,|\b(?:and|or|nor|to|of|for|by|the|an?|any|not|from|with|in|on|this|our|otherwise|that|which|other|will|may|be))\n+$|^\n+(?:and|or|nor|to|of|for|by|from|with|in|on|otherwise|that|which)\b/;

/**
 * A text in which only the end of a sentence or a block is a line.
 * - A line may break within a sentence. An empty one may too, where the next begins in lower case.
 * - So may a block, where the words around it say that the sentence goes on.
 */
function sentencesOf(text: string): string {
  return text.replace(/\s+/g, (space, at: number) => {
    const lines = space.split('\n').length - 1;
    if (lines < 2) return ' ';
    const behind = text.slice(at + space.length, at + space.length + 20);
    const before = text.slice(Math.max(0, at - 20), at);
    if (!/^\p{Ll}/u.test(behind) || /[.!?:;]["”’)]?$/.test(before)) return '\n';
    return lines === 2 || GOES_ON.test(`${before}\n`) || GOES_ON.test(`\n${behind}`) ? ' ' : '\n';
  });
}

/** Blocks that may belong to a list. */
const MOST_ITEMS = 30;

/** A text in which each item of a list that may be a notice begins with what introduces the list, such as "You may not:". */
function withIntroductions(text: string): string {
  if (!text.includes(':\n')) return text;
  let introduction = '';
  let left = 0;
  const begun = text.split('\n').map((block) => {
    left -= 1;
    const last = block.endsWith(':') ? (block.split(SENTENCE_END).at(-1) ?? '') : '';
    if (last.length <= LONGEST_WORDS && isRefusal(last)) {
      introduction = last;
      left = MOST_ITEMS;
      return block;
    }
    return left >= 0 && (has(block, TAKE) || has(block, GATHER)) ? `${introduction} ${block}` : block;
  });
  return begun.join('\n');
}

const has = (text: string, words: RegExp): boolean => text.search(words) >= 0;
/** What the firm says of itself is none. */
const isRefusal = (words: string): boolean => has(words, NO) && !OURS.test(words.replace(/:$/, ' '));

type Part = { from: number; to: number };
const partOf = ({ 0: { length }, index }: RegExpExecArray): Part => ({ from: index, to: index + length });

/** Whether words stand in one sentence, near enough to each other. */
const isNear = (text: string, before: Part, { from }: Part): boolean =>
  from - before.to <= REACH && !SENTENCE_END.test(text.slice(before.to, from));

/** Where words follow each other in one sentence. Goes once along each kind of word: a page may be made of nothing else. */
function following(text: string, words: readonly RegExp[], partsOf: (words: RegExp) => Part[]): Part[] {
  const [begin, ...others] = words;
  let reached = begin ? partsOf(begin) : [];
  for (const other of others) {
    if (reached.length === 0) return [];
    let at = -1;
    reached = partsOf(other).flatMap((part) => {
      while ((reached[at + 1]?.to ?? Number.POSITIVE_INFINITY) <= part.from) at += 1;
      const before = reached[at];
      return before && isNear(text, before, part) ? [{ from: before.from, to: part.to }] : [];
    });
  }
  return reached;
}

/** Where words of each kind stand in one sentence, in any order. */
function together(text: string, words: readonly RegExp[], partsOf: (words: RegExp) => Part[]): Part[] {
  const kinds = words.map(partsOf);
  if (kinds.some(({ length }) => length === 0)) return [];
  const parts = kinds.flatMap((ofKind, kind) => ofKind.map((part) => ({ ...part, kind })));
  const found: Part[] = [];
  let group: (Part & { kinds: Set<number> }) | undefined;
  for (const part of parts.toSorted((a, b) => a.from - b.from)) {
    if (!group || !isNear(text, group, part)) group = { from: part.from, to: part.to, kinds: new Set() };
    group.to = Math.max(group.to, part.to);
    const was = group.kinds.size;
    group.kinds.add(part.kind);
    if (was < words.length && group.kinds.size === words.length) found.push(group);
  }
  return found;
}

/** The part of a sentence around the words of a notice. */
function aroundOf(text: string, from: number, to: number): string {
  const before =
    text
      .slice(Math.max(0, from - AROUND), from)
      .split(SENTENCE_END)
      .at(-1) ?? '';
  const after = text.slice(to, to + AROUND).split(SENTENCE_END)[0] ?? '';
  return `${before}${text.slice(from, Math.min(to, from + 2 * LONGEST_WORDS))}${after}`;
}

/** The sentence in which words begin at `at`, from there on if it begins far before. */
function sentenceAt(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - LONGEST_WORDS), at).split(SENTENCE_END);
  const begin = before.length > 1 || at < LONGEST_WORDS ? at - (before.at(-1)?.length ?? 0) : at;
  const whole = (text.slice(begin, begin + 2 * LONGEST_WORDS).split(SENTENCE_END)[0] ?? '').trim();
  return whole.slice(0, LONGEST_WORDS).replace(HALF_AT_END, '');
}
