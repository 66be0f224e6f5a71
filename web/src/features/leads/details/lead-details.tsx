import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DataOf } from '#contract/endpoint.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import type { Lead } from '#contract/work/leads.ts';
import type { getProvenanceEndpoint, Provenance, ProvenancePart } from '#contract/work/provenance.ts';
import type { LeadSiteVisit } from '#contract/work/site-visit.ts';
import { provenanceQuery } from '#web/features/leads/api.ts';
import { emailCheckText } from '#web/features/leads/email-words.ts';
import { complianceBadge } from '#web/features/leads/lead-badges.ts';
import { checkedAgainst, verdictAge } from '#web/features/leads/verdict-words.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatPhone, formatRate, formatTime } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Sheet } from '#web/ui/overlay/sheet.tsx';
import { FoundOn } from './external-link.tsx';
import { FileOriginPart, fieldText } from './file-origin.tsx';
import { FROM_GOOGLE, FromOpenData, GOOGLES_WORDS, OtherSources } from './open-origin.tsx';
import { SitePart } from './site-part.tsx';
import { mailText } from './site-words.ts';

type Data = DataOf<typeof getProvenanceEndpoint>;

/** What is known of one lead, and for each value who gave it, when, and what that cost. */
export function LeadDetails({
  lead,
  call,
  onRun,
  onClose,
}: {
  lead: Lead;
  /** Whether it may be called, and why. */
  call?: ReactNode;
  /** Shows the run that brought a value. */
  onRun: (runId: string) => void;
  onClose: () => void;
}) {
  const provenance = useQuery(provenanceQuery(lead.id));
  const sourceOf = (part: ProvenancePart) =>
    provenance.data ? (
      <Source
        source={provenance.data.provenance.find((one) => one.part === part)}
        column={COLUMN[part]}
        from={provenance.data.sources[COLUMN[part]]}
        data={provenance.data}
        email={lead.email}
        onRun={onRun}
      />
    ) : provenance.isError ? null : (
      <Skeleton className="w-64 max-w-full" />
    );
  const contact = [lead.ownerName, lead.ownerTitle].filter(Boolean).join(', ');
  const verdict = complianceBadge(lead.complianceStatus);
  return (
    <Sheet
      open
      onClose={onClose}
      title={<bdi>{lead.businessName}</bdi>}
      description="Where each value comes from, and when."
    >
      {provenance.isError ? (
        <ReadFailed title="The sources of these values could not be loaded" query={provenance}>
          {errorMessage(provenance.error)}
        </ReadFailed>
      ) : null}
      <Part
        title="Business"
        values={[formatPhone(lead.phone), lead.address, lead.website]}
        source={
          <>
            {sourceOf('business')}
            {provenance.data ? <OtherSources lead={lead} data={provenance.data} /> : null}
          </>
        }
      />
      {lead.email ? (
        <Part
          title="Email"
          values={[lead.email, lead.emailConfidence === undefined ? '' : `${lead.emailConfidence}% confidence`]}
          source={sourceOf('email')}
        />
      ) : null}
      {lead.email && lead.emailStatus ? (
        <Part
          title="Email verification"
          values={[emailCheckText(lead.emailStatus, lead.emailCheckedAt)]}
          source={provenance.data?.provenance.some(({ part }) => part === 'check') ? sourceOf('check') : null}
        />
      ) : null}
      {contact ? <Part title="Owner" values={[contact]} source={sourceOf('owner')} /> : null}
      <Part
        title="Compliance"
        values={[verdictAge(lead), lead.complianceReason, checkedAgainst(lead)]}
        badge={<Badge tone={verdict.tone}>{verdict.label}</Badge>}
        source={lead.complianceCheckedAt ? sourceOf('verdict') : null}
      />
      {provenance.data?.site ? <SitePart site={provenance.data.site} email={lead.email} /> : null}
      {call}
      {provenance.data?.file ? <FileOriginPart file={provenance.data.file} /> : null}
    </Sheet>
  );
}

function Part({
  title,
  values,
  badge,
  source,
}: {
  title: string;
  values: readonly string[];
  badge?: ReactNode;
  source: ReactNode;
}) {
  return (
    <section aria-label={title} className="grid min-w-0 grid-cols-1 gap-1 rounded-lg border bg-surface px-4 py-3">
      <h3 className="flex items-center gap-2 text-secondary text-sm">
        {title}
        {badge}
      </h3>
      {values.filter(Boolean).map((value) => (
        <p key={value} dir="auto" className="break-words text-left">
          {value}
        </p>
      ))}
      {source ? <div className="mt-1 border-t pt-2 text-secondary text-sm">{source}</div> : null}
    </section>
  );
}

/** A later visit may have found another address, or none: then the page is no longer known. */
function FromWebsite({ site, email }: { site: LeadSiteVisit | null; email: string }) {
  const found = site?.emails.find((one) => one.email === email);
  if (!site || !found) return <p>The business’s own website, free of charge</p>;
  return (
    <>
      <p className="min-w-0 break-words first-letter:uppercase">
        <FoundOn page={found.page} at={site.at} />, free of charge
      </p>
      <p>{mailText(found.mail)}</p>
    </>
  );
}

const WHAT: Record<ProvenancePart, (subject: string) => string> = {
  business: () => 'the page of results',
  email: (subject) => subject,
  check: (subject) => subject,
  owner: (subject) => subject,
  verdict: () => 'the number',
};

/** The column whose source is told for a part. */
const COLUMN: Record<ProvenancePart, string> = {
  business: 'business_name',
  email: 'email',
  check: 'email_status',
  owner: 'owner_name',
  verdict: 'compliance_status',
};

function Source({
  source,
  column,
  from,
  data: { file, site, open },
  email,
  onRun,
}: {
  source: Provenance | undefined;
  column: string;
  /** What brought it without a call. */
  from: string | undefined;
  data: Data;
  email: string;
  onRun: (runId: string) => void;
}) {
  if (from === 'website') return <FromWebsite site={site} email={email} />;
  const release = open.find(({ name }) => name === from);
  if (!source && release) return <FromOpenData release={release} />;
  if (!source && file)
    return (
      <>
        <p className="first-letter:uppercase">{fieldText(file, column)}</p>
        {from === FROM_GOOGLE ? <p>{GOOGLES_WORDS}</p> : null}
      </>
    );
  if (!source) return <p>No record shows which call found it.</p>;
  const { part, provider, at, costMicros, sandbox, remembered, run, subject } = source;
  const brought = costMicros > 0 ? 'paid for' : 'found';
  const cost = costMicros > 0 ? `${formatRate(costMicros)} for ${WHAT[part](subject)}` : 'free of charge';
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 tabular-nums">
      <p className="min-w-0 break-words">
        {`${PROVIDER_CATALOGUE[provider].name}${sandbox ? ' (sandbox)' : ''}, ${formatTime(at)}`}
        <br />
        {remembered ? (
          <>
            Remembered: {brought} by <bdi>“{run.listName}”</bdi>, {cost}
          </>
        ) : (
          <span className="inline-block first-letter:uppercase">{`${brought} by this list, ${cost}`}</span>
        )}
      </p>
      <Button variant="link" size="sm" className="text-sm" onClick={() => onRun(run.id)}>
        Show run
      </Button>
    </div>
  );
}
