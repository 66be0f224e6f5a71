import { runWorkOf } from '#contract/work/run-work.ts';
import type { EnrichmentTotals, Run, RunDetail, SearchTotals } from '#contract/work/runs.ts';
import { ALL_RESULTS } from '#contract/work/search/areas.ts';
import { formatClock, formatCount, plural } from '#web/lib/format/format.ts';
import { ASKED, SHORT_NAME } from './call-words.ts';
import { wordsOf } from './work-words.ts';

export type RunProgress = {
  /** What is being done, with how far it has come. */
  text: string;
  /** From 0 to 100; undefined while the end is not known. */
  percent: number | undefined;
};

export const isOpen = (run: Run): boolean => run.state === 'queued' || run.state === 'running';

/** The open run to show, of a list's runs, newest first: the one that works stands behind those that wait for it. */
export function currentRun(runs: readonly Run[]): Run | undefined {
  const open = runs.filter(isOpen);
  return open.find(({ state }) => state === 'running') ?? open.at(-1);
}

const share = (done: number, all: number): number | undefined =>
  all > 0 ? Math.min(100, Math.round((done / all) * 100)) : undefined;

const of = (done: number, all: number): string => `${formatCount(done)} of ${formatCount(all)}`;

/** How far a run has come, in words and percent. */
export function runProgress(run: Run): RunProgress {
  if (run.state === 'queued') return { text: 'Waiting to start', percent: undefined };
  switch (run.kind) {
    case 'search': {
      const totals = run.search;
      if (totals && isOfArea(run)) return areaProgress(totals);
      if (!totals || totals.found === 0) return { text: 'Searching for businesses', percent: undefined };
      return { text: `${plural(totals.kept, 'lead')} found so far`, percent: share(totals.found, totals.requested) };
    }
    case 'enrichment': {
      const totals = run.enrichment;
      if (!totals || totals.domains + totals.emailsToVerify === 0)
        return { text: totals && isVerification(run) ? 'Verifying emails' : 'Looking up websites', percent: undefined };
      const { text, done, all } = enrichmentStep(totals);
      return { text, percent: share(done, all) };
    }
    case 'compliance': {
      const totals = run.compliance;
      if (!totals || totals.numbers === 0) return { text: 'Checking phone numbers', percent: undefined };
      return {
        text: `${of(totals.numbersDone, totals.numbers)} unique numbers checked`,
        percent: share(totals.numbersDone, totals.numbers),
      };
    }
    case 'place':
      return { text: 'Looking up the place', percent: undefined };
    case 'survey':
      return { text: 'Counting the places of an area', percent: undefined };
  }
}

/** The step that an enrichment is at, how much of that is done, and how much of that took no time. */
function enrichmentStep(totals: EnrichmentTotals): { text: string; done: number; all: number; known: number } {
  const { sites, sitesDone, sitesKnown, domains, domainsDone, domainsKnown, domainsForHunter, emailsToVerify } = totals;
  if (emailsToVerify > 0) {
    const [done, all] = [totals.emailsVerified, emailsToVerify];
    return { text: `Verifying emails: ${of(done, all)}`, done, all, known: totals.emailsKnown };
  }
  if (domainsForHunter > 0) {
    const [done, all] = [Math.max(0, domainsDone - (domains - domainsForHunter)), domainsForHunter];
    return { text: `Asking Hunter: ${of(done, all)}`, done, all, known: domainsKnown };
  }
  if (sites > 0)
    return { text: `Visiting websites: ${of(sitesDone, sites)}`, done: sitesDone, all: sites, known: sitesKnown };
  return {
    text: `${of(domainsDone, domains)} websites looked up`,
    done: domainsDone,
    all: domains,
    known: domainsKnown,
  };
}

const isVerification = (run: Run): boolean => runWorkOf(run) === 'verification';

const isOfArea = ({ searchFor }: Run): boolean => searchFor?.maxResults === ALL_RESULTS;

/** The places are counted first. What is known comes before the pages that are bought. */
function areaProgress({ found, kept, pages, pagesToBuy }: SearchTotals): RunProgress {
  if (found === 0 && pagesToBuy === 0) return { text: 'Counting the places of the area', percent: undefined };
  const bought = pagesToBuy > 0 ? ` · ${of(pages, pagesToBuy)} pages bought` : '';
  return { text: `${plural(kept, 'lead')} found so far${bought}`, percent: share(pages, pagesToBuy) };
}

/** With fewer answers than this, how fast they come is not known. */
const FEWEST_ANSWERS = 20;

/** Seconds until a run is done, by how fast new answers have come so far; null while that is not known. `now` in ms since 1970. */
export function secondsLeft(run: Run, now: number): number | null {
  const steps = stepsOf(run);
  if (run.state !== 'running' || run.waiting || !steps || !run.startedAt) return null;
  const { all, done, known } = steps;
  const answered = done - known;
  if (answered < FEWEST_ANSWERS) return null;
  return Math.ceil((((now - Date.parse(run.startedAt)) / 1_000) * Math.max(0, all - done)) / answered);
}

/** What a run has to do. What was `known` took no time. */
function stepsOf({ search, enrichment, compliance }: Run): { all: number; done: number; known: number } | undefined {
  if (search) return { all: search.pagesToBuy, done: search.pages, known: 0 };
  // How long one step took says nothing of the next.
  if (enrichment) {
    const { sites, domainsForHunter, emailsToVerify } = enrichment;
    return [sites, domainsForHunter, emailsToVerify].filter((all) => all > 0).length > 1
      ? undefined
      : enrichmentStep(enrichment);
  }
  if (compliance) return { all: compliance.numbers, done: compliance.numbersDone, known: compliance.numbersKnown };
  return undefined;
}

/** Why a run stands still, and when it goes on: 'Hunter does not answer. Next try at 2:32:10 PM.' Nothing while it moves. */
export function waitingText({ kind, waiting }: Pick<Run, 'kind' | 'waiting'>): string | undefined {
  if (!waiting) return undefined;
  const name = SHORT_NAME[ASKED[kind]];
  const at = waiting.until === null ? undefined : formatClock(waiting.until);
  switch (waiting.reason) {
    case 'provider_down':
      return `${name} is not responding.${at ? ` Next try at ${at}.` : ''}`;
    case 'limit':
      return `${name} limits how many requests can be sent.${at ? ` The run continues at ${at}.` : ''}`;
    case 'other_run':
      return 'Another run already sent the same request. This run waits for its result, so you pay only once.';
  }
}

/** What an ended run has brought. */
export function runResult(run: Run): string {
  switch (run.kind) {
    case 'search':
      return `${plural(run.search?.kept ?? 0, 'lead')} found`;
    case 'enrichment': {
      const { domains = 0, domainsDone = 0, emailsAdded = 0, contactsAdded = 0, sitesFound = 0 } = run.enrichment ?? {};
      const verified = run.enrichment && verifiedText(run.enrichment);
      if (isVerification(run)) return verified ?? 'No emails needed checking';
      const added = `${plural(emailsAdded, 'email')} and ${plural(contactsAdded, 'contact')} added`;
      const told = sitesFound > 0 ? ` · ${plural(sitesFound, 'website')} had an address` : '';
      return `${of(domainsDone, domains)} websites looked up · ${added}${told}${verified ? ` · ${verified}` : ''}`;
    }
    case 'compliance': {
      const { numbers = 0, numbersDone = 0, safe = 0, flagged = 0 } = run.compliance ?? {};
      return `${of(numbersDone, numbers)} unique numbers checked · ${safe} safe · ${flagged} flagged`;
    }
    case 'place':
      return run.state === 'completed' ? 'Place found' : 'No place found';
    case 'survey':
      return run.state === 'completed' ? 'Area counted' : 'Area not counted to its end';
  }
}

/** How many emails were verified, and how many of them cannot receive mail. */
function verifiedText({ emailsToVerify, emailsVerified, emailsPending, emailsInvalid }: EnrichmentTotals) {
  if (emailsToVerify === 0) return undefined;
  return `${of(emailsVerified - emailsPending, emailsToVerify)} emails checked, ${formatCount(emailsInvalid)} not valid`;
}

/** Whether a completed run has left something out because its answer was lost. */
export function isUnfinished({ state, search, enrichment, compliance }: Run): boolean {
  if (state !== 'completed') return state === 'failed' || state === 'cancelled';
  const lostEmails = enrichment && enrichment.domainsUncertain + enrichment.emailsUncertain;
  return (search?.pagesLost ?? lostEmails ?? compliance?.numbersUncertain ?? 0) > 0;
}

/**
 * Why a search kept fewer leads than asked: '60 requested · 48 kept · 9 outside 5 miles · 3 closed'.
 * Nothing when it kept as many as asked. `radiusMiles` as the form had it.
 */
export function searchShortfall(totals: SearchTotals, radiusMiles: string): string | undefined {
  if (totals.requested === 0 || totals.kept >= totals.requested) return undefined;
  const parts = [`${totals.requested} requested`];
  if (totals.found < totals.requested) parts.push(`${totals.found} found`);
  return [...parts, ...leftOut(totals, `${radiusMiles} miles`)].join(' · ');
}

/** What the search of an area found and did not keep; nothing when it kept everything. */
export function areaShortfall(totals: SearchTotals): string | undefined {
  if (totals.kept >= totals.found && totals.pagesLost === 0) return undefined;
  return [plural(totals.found, 'result'), ...leftOut(totals, 'the area')].join(' · ');
}

function leftOut(totals: SearchTotals, where: string): string[] {
  const parts = [`${formatCount(totals.kept)} kept`];
  if (totals.outsideRadius > 0) parts.push(`${totals.outsideRadius} outside ${where}`);
  if (totals.closed > 0) parts.push(`${totals.closed} closed`);
  if (totals.alreadyListed > 0) parts.push(`${totals.alreadyListed} already in your lists`);
  if (totals.duplicates > 0) parts.push(plural(totals.duplicates, 'duplicate'));
  if (totals.pagesLost > 0) parts.push(`${plural(totals.pagesLost, 'page')} of results lost`);
  return parts;
}

/** Why a search kept nothing of what Google found: 'Google found 3 places, but none could be kept: 3 permanently closed.' */
export function emptySearchReason(totals: SearchTotals | undefined): string | undefined {
  if (!totals || totals.kept > 0 || totals.found === 0) return undefined;
  const parts: string[] = [];
  const add = (n: number, text: string) => n > 0 && parts.push(`${formatCount(n)} ${text}`);
  add(totals.closed, 'permanently closed');
  add(totals.outsideRadius, totals.requested > 0 ? 'outside the radius' : 'outside the area');
  add(totals.alreadyListed, 'already in your lists');
  if (parts.length === 0) return undefined;
  return `Google found ${plural(totals.found, 'place')}, but none could be kept: ${parts.join(', ')}.`;
}

/** What an enrichment or a check left out, and why; nothing when it left nothing out. */
export function runRemainder(run: Run): string | undefined {
  const parts: string[] = [];
  const add = (n: number, text: string) => n > 0 && parts.push(`${formatCount(n)} ${text}`);
  if (run.kind === 'enrichment' && run.enrichment) {
    const { suppressed, emailsSuppressed } = run.enrichment;
    add(isVerification(run) ? emailsSuppressed : suppressed, 'on the suppression list');
    if (!isVerification(run)) {
      add(run.enrichment.withoutWebsite, 'without a website');
      add(run.enrichment.onSharedHost, 'on a shared or social site');
    }
    // Hunter was asked about them instead.
    if (!run.steps?.includes('hunter')) add(run.enrichment.sitesRefused, 'refused by robots.txt');
    add(run.enrichment.domainsUncertain + run.enrichment.emailsUncertain, 'with a lost result');
    add(run.enrichment.emailsPending, 'without a result yet');
  }
  if (run.kind === 'compliance' && run.compliance) {
    add(run.compliance.suppressed, 'on the suppression list');
    add(run.compliance.withoutPhone, 'without a phone');
    add(run.compliance.notUs, 'not a US number');
    add(run.compliance.numbersUncertain, 'with a lost result');
  }
  const not = run.kind === 'compliance' ? 'not checked' : isVerification(run) ? 'not verified' : 'not looked up';
  return parts.length > 0 ? `${not}: ${parts.join(', ')}` : undefined;
}

/** What a run waits behind before it begins: 'Waits for the search of “Dentists” · 3 of your runs begin before it'. */
export function queueText({ queue }: Pick<RunDetail, 'queue'>): string | undefined {
  const { behind = null, ahead = 0 } = queue ?? {};
  const parts: string[] = [];
  if (behind) parts.push(`Waits for the ${wordsOf(behind).noun} of “${behind.listName}”`);
  // The one that it is named after may be the only one.
  if (ahead > (behind ? 1 : 0)) parts.push(`${plural(ahead, 'of your runs begins', 'of your runs begin')} before it`);
  return parts.length > 0 ? parts.join(' · ') : undefined;
}
