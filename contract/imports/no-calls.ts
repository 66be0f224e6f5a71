/** What a file says against calls. app.tells_no_calls reads leads in the same way. */

const wordsOf = (text: string): string =>
  text
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();

const headerWordsOf = (header: string): string =>
  wordsOf(header.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2'));

const CALLS =
  /(^| )((do ?not|don ?t) ?(allow )?(call|phone|telephone|dial|solicit)s?|(no|never) call|dnc|litigators?)( |$)/;
const CONTACT =
  /(^| )((do ?not|don ?t) ?contact|opt(ed)? ?out|suppress(ed|ion)?|black ?list(ed)?|(do ?not|don ?t) ?disturb|dnd)( |$)/;
/** Ways to be reached that are no calls. */
const BY_OTHER_WAYS = /(^| )(e ?mails?|mails?|mailings?|fax|texts?|sms|newsletters?)( |$)/;
/** Columns about how it was found out. */
const ABOUT = /(^| )(checked|scrub|scrubbed|verified|source|version)( |$)/;

/** Whether a column of this header says who must not be called. */
export function isOfNoCalls(header: string): boolean {
  const words = headerWordsOf(header);
  return !ABOUT.test(words) && (CALLS.test(words) || (CONTACT.test(words) && !BY_OTHER_WAYS.test(words)));
}

/** The contrary: who may be called. */
const MAY_BE_CALLED =
  /(^| )((ok|okay|allowed|permitted|permission|consent(s|ed)?|agree(s|d)?) (to|for) (be )?(call|phone|telephone)(s|ed|ing)?|(can|may) (be )?(call|phone)(ed)?|(allow|accept)s? (phone )?calls?|calls? (ok|okay|allowed|permitted|permission|consent)|callable)( |$)/;
const MAY_BE_CONTACTED =
  /(^| )(ok|okay|allowed|permitted|permission|consent(s|ed)?|agree(s|d)?) (to|for) (be )?contact(ed)?( |$)/;

/** Whether a column of this header says who may be called. */
export function isOfLeave(header: string): boolean {
  const words = headerWordsOf(header);
  if (isOfNoCalls(header) || ABOUT.test(words)) return false;
  return MAY_BE_CALLED.test(words) || (MAY_BE_CONTACTED.test(words) && !BY_OTHER_WAYS.test(words));
}

const CLEARLY_NOT =
  /^(no?|none|nil|null|na|n a|f|false|0( 0)?|off|unchecked|unknown|undefined|pending|blank|empty|never|ok|okay|ok to call|okay to call|clean|clear|safe|good|pass|passed|call|callable|can call|allow|allowed|permitted|active|subscribed|opted in|opt in|no dnc|non dnc|not (on|in|a|listed|found|checked|set|registered|applicable|available|specified|known|dnc|opted|suppressed)( .*)?)$/;
const CHECKED = /[✓✔☑✅]/;
/** What says it where a yes would be leave. What is left open says nothing: no one needs leave to call a business. */
const REFUSED =
  /^(no(?! (problem|restriction|limit|objection|answer|info|information|data|response|reply|record|entry|preference)s?( |$))( .*)?|n|never|f|false|0( 0)?|off|unchecked|denied|refused|revoked|withdrawn|declined|rejected|opt(ed)? out|not (ok|okay|allowed|permitted|given|granted|consented|agreed|callable)|(do ?not|don ?t|never|can ?not|can ?t|may not|must not) (call|contact|phone|allow)( .*)?)$/;
const CROSSED = /[✗✘✖❌]/;
/** What says it under any header, such as that of a status, alone or as one of several tags. */
const ITSELF =
  /^((do ?not|don ?t) ?(call|contact|phone|solicit|disturb)|dnd|(on )?(the )?(national |federal |state )?(dnc|do not call)( list| registry)?)$/;
const TAGS = /[,;|]/;

/** Whether a cell says that its row must not be called. What is not clearly a no is a yes, and a clear no to calls is one. */
export function tellsNoCalls(header: string, said: string): boolean {
  const words = wordsOf(said);
  if (isOfNoCalls(header)) return words === '' ? CHECKED.test(said) : !CLEARLY_NOT.test(words);
  if (isOfLeave(header) && (words === '' ? CROSSED.test(said) : REFUSED.test(words))) return true;
  return said.split(TAGS).some((tag) => ITSELF.test(wordsOf(tag))) && !ABOUT.test(headerWordsOf(header));
}
