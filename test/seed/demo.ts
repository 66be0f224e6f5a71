import { milesToMeters } from '#contract/work/search/search.ts';
import { foundLeads, type SeedLead, withContacts, withVerdict } from './leads.ts';
import type { SeedRun } from './runs.ts';
import type { SeedList } from './write-lists.ts';

const DAY_MS = 86_400_000;
const RADIUS_MILES = 25;
const MAX_RESULTS = 60;

/** One list of the demo. `level`: how far it was worked on. `ended`: what its last run came to, `completed` if absent. */
type Sketch = {
  level: 'empty' | 'basic' | 'emails' | 'tier3' | 'tier4';
  checked?: true;
  ageDays: number;
  archivedDaysAgo?: number;
  leads?: number;
  name?: string;
  ended?: 'searching' | 'enriching' | 'unknown place' | 'out of credit';
};

const TRADES = ['dentist', 'plumber', 'bakery', 'roofing contractor', 'hair salon', 'auto repair', 'veterinarian'];
const TOWNS = [
  ['Springfield', 'IL'],
  ['Austin', 'TX'],
  ['Denver', 'CO'],
  ['Columbus', 'OH'],
  ['Tulsa', 'OK'],
  ['Boise', 'ID'],
] as const;

const basic = (ageDays: number): Sketch => ({ level: 'basic', ageDays });
const emails = (ageDays: number): Sketch => ({ level: 'emails', ageDays });
const checked = (ageDays: number): Sketch => ({ level: 'emails', checked: true, ageDays });

/** Every state, level, age and odd name once at least. */
const SKETCHES: readonly Sketch[] = [
  { level: 'empty', ageDays: 0, ended: 'searching' },
  { level: 'basic', ageDays: 0, ended: 'enriching' },
  { level: 'empty', ageDays: 0, ended: 'unknown place', name: 'dentist in Springfeild, ZZ' },
  { level: 'basic', ageDays: 1, ended: 'out of credit' },
  { level: 'empty', ageDays: 1, name: 'lighthouse keeper in Tulsa, OK' },
  ...[0, 1, 2].map(basic),
  ...[25, 26, 27, 28, 29].map(basic),
  ...[0, 2, 3, 5, 8, 13].map(emails),
  ...[0, 4, 7, 11, 25].map(checked),
  { level: 'basic', checked: true, ageDays: 6 },
  { level: 'basic', ageDays: 9, leads: 1 },
  { level: 'tier3', ageDays: 10 },
  { level: 'tier4', checked: true, ageDays: 12 },
  { level: 'basic', ageDays: 2, archivedDaysAgo: 0 },
  { level: 'emails', ageDays: 20, archivedDaysAgo: 5 },
  { level: 'emails', checked: true, ageDays: 50, archivedDaysAgo: 25 },
  { level: 'basic', ageDays: 58, archivedDaysAgo: 29 },
  { ...emails(14), name: 'Bäckereien 🥐🥖 in Ålesund & „Žižkov“' },
  { ...checked(15), name: 'أطباء الأسنان في سبرينغفيلد' },
  { ...basic(16), name: '<script>alert("list")</script> in Austin, TX' },
  { ...emails(17), name: '=HYPERLINK("https://evil.example","plumber")' },
  { ...basic(18), name: `plumber in ${'Llanfairpwllgwyngyll'.repeat(11)}` },
  { ...emails(19), leads: 60 },
  { ...checked(21), leads: 60 },
  { ...emails(23), leads: 26 },
];

/** 40 lists as a month of work leaves them. */
export const demoLists = (now: Date): SeedList[] => SKETCHES.map((sketch, index) => toList(sketch, index, now));

function toList(sketch: Sketch, index: number, now: Date): SeedList {
  const trade = TRADES[index % TRADES.length] ?? 'dentist';
  const [town, state] = TOWNS[index % TOWNS.length] ?? ['Springfield', 'IL'];
  const place = `${town}, ${state}`;
  const created = new Date(now.getTime() - sketch.ageDays * DAY_MS - (index + 1) * 60_000);
  const leads = leadsOf(sketch, trade, town, state, created);
  const isUnderWay = sketch.ended === 'searching' || sketch.ended === 'enriching';
  const { ended, level } = sketch;
  const runs = runsOf(sketch, leads, { query: trade, location: place, radiusMeters: milesToMeters(RADIUS_MILES) });
  return {
    key: `demo ${index}`,
    list: {
      name: sketch.name ?? `${trade} in ${place}`,
      status: isUnderWay ? 'processing' : ended ? 'failed' : 'completed',
      completeness: { empty: 45, basic: 45, emails: 65, tier3: 85, tier4: 100 }[level],
      tier1_complete: ended !== 'searching' && ended !== 'unknown place',
      tier2_complete: isEnriched(sketch),
      tier3_complete: level === 'tier3' || level === 'tier4',
      tier4_complete: level === 'tier4',
      compliance_checked: sketch.checked ?? false,
      compliance_cost_micros: runs
        .filter((run) => run.kind === 'compliance')
        .reduce((sum, run) => sum + (run.totals.numbers ?? 0) * 20_000, 0),
      has_emails: leads.some((lead) => lead.email),
      has_contacts: leads.some((lead) => lead.owner_name),
      resolved_place: ended === 'unknown place' ? null : place,
      search_params: JSON.stringify({
        businessType: trade,
        location: place,
        radius: String(RADIUS_MILES),
        maxResults: String(MAX_RESULTS),
      }),
      created_at: created,
      ...(sketch.archivedDaysAgo === undefined
        ? {}
        : {
            lifecycle_status: 'archived',
            archived_at: new Date(now.getTime() - sketch.archivedDaysAgo * DAY_MS - 60_000),
          }),
    },
    leads,
    runs,
  };
}

const isEnriched = ({ level }: Sketch) => level === 'emails' || level === 'tier3' || level === 'tier4';

function leadsOf(sketch: Sketch, trade: string, town: string, state: string, checkedAt: Date): SeedLead[] {
  if (sketch.level === 'empty') return [];
  const found = foundLeads(trade, town, state, sketch.leads ?? 48);
  const half = Math.floor(found.length / 2);
  return found
    .map((lead, index) =>
      isEnriched(sketch) || (sketch.ended !== undefined && index < half) ? withContacts(lead) : lead,
    )
    .map((lead) => (sketch.checked ? withVerdict(lead, checkedAt) : lead));
}

/** The runs that would have brought a list where it is. */
function runsOf(
  sketch: Sketch,
  leads: readonly SeedLead[],
  search: { query: string; location: string; radiusMeters: number },
): SeedRun[] {
  const runs: SeedRun[] = [searchRun(sketch, leads.length, search)];
  const withSite = leads.filter((lead) => lead.website).length;
  const contacts = leads.filter((lead) => lead.email).length;
  if (isEnriched(sketch) || sketch.ended === 'enriching' || sketch.ended === 'out of credit') {
    const done = isEnriched(sketch) ? withSite : Math.floor(withSite / 2);
    runs.push({
      kind: 'enrichment',
      minutes: 5,
      state: sketch.ended === 'enriching' ? 'running' : sketch.ended ? 'failed' : 'completed',
      totals: {
        leads: leads.length,
        withoutWebsite: leads.length - withSite,
        domains: withSite,
        domainsDone: done,
        leadsUpdated: contacts,
        emailsAdded: contacts,
        contactsAdded: contacts,
      },
      ...(sketch.ended === 'out of credit'
        ? {
            error: { code: 'PROVIDER_FAILED', message: 'Hunter.io says that the credits of this account are used up.' },
          }
        : {}),
      calls: [{ operation: 'domain_search', count: done, paid: contacts }],
    });
  }
  if (sketch.checked) {
    const verdicts = leads.filter((lead) => lead.compliance_checked_at);
    const safe = verdicts.filter((lead) => lead.compliance_status === 'safe').length;
    const numbers = verdicts.length;
    runs.push({
      kind: 'compliance',
      minutes: 10,
      state: 'completed',
      input: { leadIds: null },
      totals: {
        leads: leads.length,
        withoutPhone: leads.length - numbers,
        numbers,
        numbersDone: numbers,
        safe,
        flagged: numbers - safe,
      },
      calls: [{ operation: 'phone_scrub', count: numbers, paid: numbers }],
    });
  }
  return runs;
}

function searchRun(
  { ended }: Sketch,
  kept: number,
  search: { query: string; location: string; radiusMeters: number },
): SeedRun {
  const input = { ...search, maxResults: MAX_RESULTS };
  const found = kept === 0 ? 0 : Math.max(kept, MAX_RESULTS - 2);
  const closed = Math.min(3, found - kept);
  const totals = { requested: MAX_RESULTS, found, kept, closed, outsideRadius: found - kept - closed };
  const located = { operation: 'locate', count: 1, paid: 1 } as const;
  const pages = { operation: 'search_page', count: 3, paid: 3 } as const;
  if (ended === 'searching')
    return { kind: 'search', minutes: 0, state: 'running', input, totals: {}, calls: [located] };
  if (ended === 'unknown place')
    return {
      kind: 'search',
      minutes: 0,
      state: 'failed',
      input,
      totals: {},
      calls: [located],
      error: {
        code: 'UNKNOWN_PLACE',
        message: 'We could not find the place “Springfeild, ZZ”, so nothing was searched.',
      },
    };
  return {
    kind: 'search',
    minutes: 0,
    state: 'completed',
    input,
    totals: { ...totals, pages: 3 },
    calls: [located, pages],
  };
}
