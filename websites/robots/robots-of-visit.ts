import { decodeText } from '#websites/extract/decode-text.ts';
import { registrable } from '#websites/extract/email-address.ts';
import { type Asking, GAP_MS } from '#websites/fetch/ask.ts';
import { follow, type Rules } from '#websites/fetch/follow.ts';
import { type RobotsRules, robotsRules } from './robots-rules.ts';

/** What robots.txt may be long; the rest of it is not read (RFC 9309, section 2.5). */
const MAX_BYTES = 500 * 1024;

/**
 * The rules of each origin, asked for once in a visit. A visit is shorter than the day for which they may be kept.
 * - `product`: our name in such a file.
 */
export function robotsOfVisit(
  asking: Asking,
  product: string,
  { isShared, isHeld }: Pick<Rules, 'isShared' | 'isHeld'>,
): (url: URL) => Promise<RobotsRules> {
  const known = new Map<string, Promise<RobotsRules>>();
  const read = async ({ origin }: URL): Promise<RobotsRules> => {
    const followed = await follow(asking, new URL('/robots.txt', origin), {
      robots: undefined,
      isShared,
      isHeld,
      maxBytes: MAX_BYTES,
    });
    // A site that cannot be asked at all says nothing about robots: how the asking ended is how the visit does.
    // So does one that leads to a host of many with all its pages, this one too.
    if (followed.kind !== 'answered') return { ...robotsRules(origin, product, undefined), ended: followed };
    const { url, answer } = followed;
    const file = { status: answer.status, text: wholeLines(answer.body) };
    // "http://" mostly leads to the file of "https://", which need not be asked for again.
    if (url.pathname === '/robots.txt' && !known.has(url.origin))
      known.set(url.origin, Promise.resolve(robotsRules(url.origin, product, file)));
    const rules = robotsRules(origin, product, file);
    // The pause that a site asks for counts from its robots.txt on, of which no one knew it before.
    if (rules.pauseMs > GAP_MS)
      await asking.pace(registrable(url.hostname), rules.pauseMs, async () => {}, asking.signal);
    return rules;
  };
  return (url) => {
    const rules = known.get(url.origin) ?? read(url);
    known.set(url.origin, rules);
    return rules;
  };
}

/** A line that the limit has cut could allow or refuse more than it does. */
function wholeLines(body: Buffer): string {
  const text = decodeText(body, '');
  return body.length < MAX_BYTES ? text : text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}
