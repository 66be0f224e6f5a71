import { registrable } from '#websites/extract/email-address.ts';
import type { RobotsRules } from '#websites/robots/robots-rules.ts';
import { type Asking, ask } from './ask.ts';
import type { NoAnswer, PageAnswer } from './fetch-page.ts';
import { pageUrl } from './page-url.ts';
import { isParking } from './parking-hosts.ts';

const MOST_REDIRECTS = 5;

/**
 * Where asking for a page ended:
 * - `answered`: with this answer at this address; a status of 300 to 399 is a redirect that leads nowhere
 * - `refused`: robots.txt does not allow it
 * - `forbidden`: it leads to an address that no one may be sent to
 * - `elsewhere`: it leads to a host of many businesses, which is not asked
 * - `held`: it leads to a host that may not be asked for the sake of its owner
 * - `parked`: it leads to a host of domains without a website, which is not asked either
 */
export type Followed =
  | { kind: 'answered'; url: URL; answer: PageAnswer }
  | { kind: 'elsewhere'; url: URL }
  | { kind: NoAnswer | 'refused' | 'forbidden' | 'held' | 'parked' };

export type Rules = {
  /** What a site allows, asked before each request to it. Undefined for robots.txt itself, which is always allowed. */
  robots: ((url: URL) => Promise<RobotsRules>) | undefined;
  isShared(host: string): boolean;
  isHeld(host: string): Promise<boolean>;
  maxBytes: number;
};

/** Asks for a page and follows its redirects. Every step is judged as the first one is. */
export async function follow(
  asking: Asking,
  start: URL,
  { robots, isShared, isHeld, maxBytes }: Rules,
): Promise<Followed> {
  let url = start;
  for (let step = 0; ; step += 1) {
    if (isParking(url.hostname)) return { kind: 'parked' };
    if (isShared(url.hostname)) return { kind: 'elsewhere', url };
    if (await isHeld(url.hostname)) return { kind: 'held' };
    const rules = await robots?.(url);
    if (rules?.ended) return rules.ended;
    if (rules && !rules.allows(url)) return { kind: 'refused' };
    const answer = await ask(asking, url, registrable(url.hostname), { pauseMs: rules?.pauseMs ?? 0, maxBytes });
    if (typeof answer === 'string') return { kind: answer };
    const isRedirect = answer.status >= 300 && answer.status < 400 && answer.location !== undefined;
    if (!isRedirect || step === MOST_REDIRECTS) return { kind: 'answered', url, answer };
    const next = pageUrl(answer.location ?? '', url);
    if (!next) return { kind: 'forbidden' };
    url = next;
  }
}
