/** Where addresses stand that a site shows. */
const HERE = String.raw`(?:here|on it|(?:on|at|in|of|from|through|within) (?:this|these|our|the|its) (?:\w+ ){0,2}?(?:web ?)?(?:sites?|pages?|director(?:y|ies)))\b`;
/** Addresses that people gave are of privacy policies. */
const GIVEN_BY_PEOPLE = String.raw`(?! (?:(?:that|which) )?(?:(?:is|are|was|were) )?(?:\w+ly )?(?:collected|provided|submitted|supplied|entered|given|obtained|gathered|received|you|they|customers|users|visitors)\b| (?:of|from|by|about) (?!this\b|these\b|(?:our|the) (?:\w+ )?(?:staff|team|employees?|members? of|firm|company|office|web|sites?|pages?)))`;
const DETAILS = String.raw`(?:(?:e-?mail |mail |contact )?address(?:es)?|e-?mails|contact (?:details|data|information))\b`;
const own = (words: string) => String.raw`\b(?:${words}) (?:\w+ ){0,2}?${DETAILS}${GIVEN_BY_PEOPLE}`;
const SHOWN = String.raw`\b${DETAILS} (?:(?:that|which) )?(?:(?:is|are) )?(?:(?:published|listed|displayed|shown|posted|contained|found|available|stated|appearing)(?: or \w+)? )?${HERE}`;
/** The firm's own addresses: by a word in front of them, or by where they stand. */
const OF_FIRM = new RegExp(`${own('our|these|this|such')}|${SHOWN}`, 'gi');
/** The same where partners may be spoken of: "these addresses" may be those of visitors. */
const OURS = new RegExp(`${own('our')}|${SHOWN}`, 'gi');
/** Of what is not used, any address that is not said to be someone else's. */
const ANY = new RegExp(
  String.raw`(?<!\b(?:yours?|their|his|her|whose|(?:customer|client|visitor|user|subscriber|member|patient|guest|donor)s?['’]?s?) (?:\w+ )?)\b${DETAILS}${GIVEN_BY_PEOPLE}`,
  'gi',
);

const BARRED = '(?:may|must|shall|should|can|are|is) ?not (?:to )?(?:be )?';
const NOT_USED = new RegExp(String.raw`\b${BARRED}used\b`, 'gi');
/** Said to who reads it, or to all. What partners do not do is of privacy policies. */
const USE_NOT =
  /(?:\b(?:you|users|visitors|others|third parties|no one|nobody|anyone|robots) )?\b(?:may|must|shall|should|can) ?not use\b|(?:^|(?<=\n|[.!?:,;] |\bplease ))(?:do not|don['’]t|never) use\b|\byou agree not to use\b/gi;
const NO_CONSENT =
  /\b(?:not (?:consent|agree) to|object to|prohibit|forbid|not (?:permit|allow|authori[sz]e)) (?:\w+ ){0,3}?use\b/gi;
const USE = /\b(?:use|usage|using)\b/gi;
const FORBIDDEN =
  /\b(?:(?:is|are) (?:\w+ly )?(?:prohibited|forbidden|un(?:authori[sz]ed)|unlawful|illegal)|(?:is|are|will) not (?:be )?(?:permitted|allowed|authori[sz]ed|tolerated))/gi;

const TRADE = String.raw`(?:(?:tele)?marketing|advertis\w+|solicit\w+|promotion\w*|commercial|sales)\b`;
const TO_SELL = new RegExp(
  String.raw`\bfor (?:[\w-]+,? ){0,5}?${TRADE}|\bto (?:market|solicit|advertise|promote)\b`,
  'gi',
);
const NOT_FOR_SALES = new RegExp(
  String.raw`\b(?:is|are) not (?:(?:intended|meant|provided|published|available) )?for (?:[\w-]+,? ){0,3}?${TRADE}`,
  'gi',
);
const SALES_USE = new RegExp(String.raw`\b${TRADE} (?:use|usage)\b`, 'gi');
const NOT_ADDED = new RegExp(String.raw`\b${BARRED}added\b`, 'gi');
const ADD_NOT = /\b(?:(?:may|must|shall|should|can) ?not|do not|don['’]t|never) add\b/gi;
const OUR_EMAIL = /\b(?:our|this|these) e-?mails?\b/gi;
const LISTS = /\b(?:to|on|onto) (?:\w+ ){0,3}?(?:mailing|marketing|e-?mail|distribution|newsletter) lists?\b/gi;

/** Words, in this order, of sentences that keep the firm's addresses from being used for sales. */
export const MARKETING_NOTICES: readonly (readonly RegExp[])[] = [
  [ANY, NOT_USED, TO_SELL],
  [USE_NOT, OURS, TO_SELL],
  [NO_CONSENT, OF_FIRM, TO_SELL],
  [USE, OF_FIRM, TO_SELL, FORBIDDEN],
  [SALES_USE, OF_FIRM, FORBIDDEN],
  [OF_FIRM, NOT_FOR_SALES],
  [OF_FIRM, NOT_ADDED, LISTS],
  [ADD_NOT, OF_FIRM, LISTS],
  [ADD_NOT, OUR_EMAIL, LISTS],
];
