import { toCsv } from '#contract/csv.ts';
import { exportColumns } from '#contract/work/exports/exports.ts';
import type { LeadChoice, LeadFilter } from '#contract/work/lead-choice.ts';
import type { LeadCounts } from '#contract/work/lead-counts.ts';
import { hasExpiredVerdict, type Lead, LeadRow, readLead } from '#contract/work/leads.ts';

import { type LeadList, type ListRow, readList } from '#contract/work/lists.ts';
import type { OpenOrigin } from '#contract/work/open-origins.ts';
import { ok, type SeenRequest, type stubServer } from '#web/test-app.tsx';

/** What a server answers about the leads of a list, by these rows. It knows the filters that pages are tested with. */
export function leadAnswers(list: ListRow, rows: readonly unknown[]): Parameters<typeof stubServer>[0] {
  const meant = (choice: LeadChoice) => {
    const leads = rows.map((row) => readLead(LeadRow.parse(row)));
    return leads.filter((lead) => isChosen(lead, choice));
  };
  const fromOpen = () => rows.flatMap((row) => originOf(row as { id: string; open?: OpenOrigin }));
  const path = `/api/lists/${list.id}`;
  return {
    'GET /rest/v1/leads': ({ query }) => {
      const { from, to } = windowOf(new URLSearchParams(query));
      return Response.json(rows.slice(from, to));
    },
    [`GET ${path}/leads`]: ({ query }) => {
      const params = new URLSearchParams(query);
      const { from, to } = windowOf(params);
      const ids = sorted(meant({ matching: { q: params.get('q') ?? undefined } }), params.get('sort')).map(
        ({ id }) => id,
      );
      const parsed = rows.map((row) => LeadRow.parse(row));
      const shown = ids.slice(from, to).flatMap((id) => parsed.find((row) => row.id === id) ?? []);
      return ok({ leads: shown, next: null });
    },
    [`POST ${path}/leads/counts`]: ({ body }) =>
      ok({ ...countsOf(meant(body as LeadChoice)), openData: fromOpen().length }),
    [`GET ${path}/leads/origins`]: () => ok({ leads: fromOpen() }),
    [`GET ${path}/callability`]: () =>
      ok({
        at: new Date().toISOString(),
        counts: { callable: 0, not_now: 0, blocked: 0, review: 0, unknown: rows.length },
        opening: [],
        rulesAsOf: '2026-11-22',
      }),
    [`GET ${path}/callability/leads`]: ({ query }) => {
      const ids = new URLSearchParams(query).get('ids')?.split(',') ?? [];
      return ok({ leads: ids.map((id) => ({ id, verdict: 'unknown', why: 'It was never checked.' })) });
    },
    [`POST ${path}/export/attribution`]: () => new Response(''),
    [`POST ${path}/export`]: ({ body }: SeenRequest) => {
      const { filter, compliance, ...choice } = body as LeadChoice & { filter: string; compliance: string };
      if (filter !== 'all') throw new Error(`The stub does not know the filter ${filter}.`);
      const leads = meant(choice).filter((lead) => compliance === 'all_leads' || lead.complianceStatus === 'safe');
      return new Response(csvOf(readList(list), countsOf(meant({})), leads));
    },
  };
}

/** Rows of open data name their release in `open`, as no table does. */
const originOf = ({ id, open }: { id: string; open?: OpenOrigin }) => (open ? [{ ...open, id }] : []);

function windowOf(params: URLSearchParams): { from: number; to: number } {
  const from = Number(params.get('offset') ?? 0);
  return { from, to: from + Number(params.get('limit') ?? 1000) };
}

const fits = (lead: Lead, { q, verdict }: LeadFilter): boolean =>
  (!q || lead.businessName.toLowerCase().includes(q)) && (verdict !== 'expired' || hasExpiredVerdict(lead));

const isChosen = (lead: Lead, { lead_ids, matching = {}, except = [] }: LeadChoice): boolean =>
  (!lead_ids || lead_ids.includes(lead.id)) && fits(lead, matching) && !except.includes(lead.id);

function sorted(leads: readonly Lead[], sort: string | null): readonly Lead[] {
  const [column, direction] = (sort ?? '').split('.');
  if (!column) return leads;
  const key = (lead: Lead) => String(lead[column as keyof Lead] ?? '');
  const sign = direction === 'desc' ? -1 : 1;
  return leads.toSorted((a, b) => Number(key(a) === '') - Number(key(b) === '') || sign * key(a).localeCompare(key(b)));
}

function countsOf(leads: readonly Lead[]): LeadCounts {
  const count = (holds: (lead: Lead) => boolean) => leads.filter(holds).length;
  const both = (holds: (lead: Lead) => boolean) => ({
    all_leads: count(holds),
    clean: count((lead) => holds(lead) && lead.complianceStatus === 'safe'),
  });
  const hasEmail = ({ email }: Lead) => email !== '';
  const hasOwner = ({ ownerName }: Lead) => ownerName !== '';
  return {
    leads: leads.length,
    digest: leads.map(({ id }) => id).join(' '),
    emails: count(hasEmail),
    contacts: count(({ ownerName, ownerTitle }) => ownerName + ownerTitle !== ''),
    verifications: count(({ emailVerified, phoneType }) => emailVerified !== undefined || phoneType !== ''),
    openData: 0,
    emailChecks: count(({ emailStatus }) => emailStatus !== undefined),
    safe: count(({ complianceStatus }) => complianceStatus === 'safe'),
    flagged: count(({ complianceStatus }) => ['dnc', 'litigator'].includes(complianceStatus)),
    expired: count(hasExpiredVerdict),
    unchecked: count(({ complianceStatus, phone }) => complianceStatus === 'not_checked' && phone !== ''),
    suppressed: 0,
    exports: {
      all: both(() => true),
      has_emails: both(hasEmail),
      has_contacts: both(hasOwner),
      fully_enriched: both((lead) => hasEmail(lead) && hasOwner(lead) && lead.emailVerified === true),
    },
  };
}

function csvOf(list: LeadList, counts: LeadCounts, leads: readonly Lead[]): string {
  const columns = exportColumns(list, counts);
  return toCsv([columns.map(({ header }) => header), ...leads.map((lead) => columns.map(({ cell }) => cell(lead)))]);
}
