import { Check, Minus, X } from 'lucide-react';
import type { ComponentType } from 'react';
import { EMAIL_STATUS_LABEL } from '#contract/work/email-status.ts';
import type { Lead } from '#contract/work/leads.ts';
import { CallCell } from '#web/features/leads/call-cell.tsx';
import { emailCheckText } from '#web/features/leads/email-words.ts';
import { complianceBadge, confidenceTone, phoneTypeText, safeWebsite } from '#web/features/leads/lead-badges.ts';
import { OpenCell } from '#web/features/leads/open-cell.tsx';
import { formatPhone } from '#web/lib/format/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import type { ColumnId } from './column-choice.ts';

/** One line, cut with an ellipsis; the whole text under the pointer. */
function Line({ text, className = 'max-w-56' }: { text: string; className?: string }) {
  if (text === '') return <None />;
  return (
    <span dir="auto" title={text} className={`block truncate text-left ${className}`}>
      {text}
    </span>
  );
}

/** Two narrow lines on a phone, so that the number beside it can be seen; one line elsewhere, and where all rows must be as high. */
const Name = ({ text }: { text: string }) => (
  <span
    dir="auto"
    title={text}
    className="line-clamp-2 w-32 text-left group-data-[rows=all]/leads:line-clamp-1 font-medium sm:block sm:w-auto sm:max-w-64 sm:truncate sm:group-data-enriched/leads:max-w-44 min-[90rem]:group-data-enriched/leads:max-w-64"
  >
    {text}
  </span>
);

const None = () => (
  <span className="text-faint">
    <span aria-hidden>–</span>
    <span className="sr-only">none</span>
  </span>
);

/** No link: it would dial without a call that is checked, counted and logged. Calls begin on the call sheet. */
function Phone({ lead }: { lead: Lead }) {
  return <Line text={formatPhone(lead.phone)} className="max-w-56 tabular-nums" />;
}

function Website({ lead }: { lead: Lead }) {
  const href = safeWebsite(lead.website);
  if (lead.website === '') return <None />;
  const tick = <Check aria-hidden className="size-4 text-success" />;
  if (!href) {
    return (
      <span title={lead.website}>
        {tick}
        <span className="sr-only">{lead.website}</span>
      </span>
    );
  }
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      title={lead.website}
      aria-label={`Website of ${lead.businessName} (opens in a new tab)`}
      className="-m-1 grid size-7 place-items-center rounded-sm hover:bg-hover"
    >
      {tick}
    </a>
  );
}

function Verified({ lead: { emailVerified: verified, emailStatus, emailCheckedAt } }: { lead: Lead }) {
  const title = emailStatus ? emailCheckText(emailStatus, emailCheckedAt) : undefined;
  if (verified === undefined) {
    const label = emailStatus ? EMAIL_STATUS_LABEL[emailStatus] : undefined;
    return label ? (
      <Badge title={title}>{label}</Badge>
    ) : (
      <span title="Not known" className="text-faint">
        <Minus aria-hidden className="size-4" />
        <span className="sr-only">Not known</span>
      </span>
    );
  }
  const Icon = verified ? Check : X;
  const label = verified ? 'Verified' : 'Not valid';
  return (
    <span title={title ?? label} className={verified ? 'text-success' : 'text-danger'}>
      <Icon aria-hidden className="size-4" />
      <span className="sr-only">{label}</span>
    </span>
  );
}

function Compliance({ lead }: { lead: Lead }) {
  const { label, tone } = complianceBadge(lead.complianceStatus);
  return (
    <Badge tone={tone} title={lead.complianceReason || undefined}>
      {lead.complianceStatus === 'safe' ? <Check aria-hidden /> : null}
      {label}
    </Badge>
  );
}

const Email = ({ lead }: { lead: Lead }) =>
  lead.email === '' ? (
    <None />
  ) : (
    <a
      href={`mailto:${encodeURIComponent(lead.email).replace('%40', '@')}`}
      title={lead.email}
      className="block max-w-44 truncate rounded-sm underline-offset-4 hover:underline min-[90rem]:max-w-60"
    >
      {lead.email}
    </a>
  );

const Confidence = ({ lead: { emailConfidence } }: { lead: Lead }) =>
  emailConfidence === undefined ? (
    <None />
  ) : (
    <Badge tone={confidenceTone(emailConfidence)} className="tabular-nums">
      {emailConfidence}%
    </Badge>
  );

/** Without emails beside it there is room for a whole address. */
const ADDRESS_WIDTH = 'max-w-md group-data-enriched/leads:max-w-60';

/** What each column shows of a lead. */
export const LEAD_CELLS: Readonly<Record<ColumnId, ComponentType<{ lead: Lead }>>> = {
  businessName: ({ lead }) => <Name text={lead.businessName} />,
  phone: Phone,
  email: Email,
  emailConfidence: Confidence,
  ownerName: ({ lead }) => <Line text={lead.ownerName} className="max-w-28 min-[90rem]:max-w-40" />,
  status: Compliance,
  call: ({ lead }) => <CallCell leadId={lead.id} />,
  address: ({ lead }) => (
    <Line
      text={lead.address || (lead.serviceArea ? 'Service area business' : '')}
      className={`${ADDRESS_WIDTH} text-secondary`}
    />
  ),
  website: Website,
  openData: ({ lead }) => <OpenCell leadId={lead.id} />,
  ownerTitle: ({ lead }) => <Line text={lead.ownerTitle} className="max-w-48 text-secondary" />,
  emailVerified: Verified,
  phoneType: ({ lead }) => <Line text={phoneTypeText(lead.phoneType)} className="max-w-32" />,
};
