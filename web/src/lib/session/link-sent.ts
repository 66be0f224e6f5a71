import { ago } from '#web/lib/backend/waits.ts';

/** A link is on its way. `sentBefore`: since when, in words, where no other is sent before `until` (in ms since 1970). */
export type LinkSent = { sentBefore?: string; until?: number };

let newest: LinkSent = {};

/** Keeps what a response says of a link that was sent earlier: the library does not hand on its headers. */
export function noteLinkSent({ headers }: Response): void {
  const at = headers.get('Fairlead-Link-Sent-At');
  if (at === null) return;
  newest = {
    sentBefore: `The last link was sent ${ago(Date.parse(at))}. It still works, also in this browser.`,
    until: Date.now() + Number(headers.get('Retry-After')) * 1_000,
  };
}

/** What was said of the link that was just asked for. */
export function takeLinkSent(): LinkSent {
  const taken = newest;
  newest = {};
  return taken;
}
