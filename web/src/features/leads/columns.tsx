import { type CellContext, createColumnHelper } from '@tanstack/react-table';
import { Check, Minus, X } from 'lucide-react';
import type { Lead } from '#contract/work/leads.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { CallCell } from './call-cell.tsx';
import { type ColumnId, columnLabel } from './column-choice.ts';
import { complianceBadge, confidenceTone, phoneHref, phoneTypeText, safeWebsite } from './lead-badges.ts';
import type { leadFeatures } from './table-features.ts';

const helper = createColumnHelper<typeof leadFeatures, Lead>();
type Cell = CellContext<typeof leadFeatures, Lead>;

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

function Phone({ lead }: { lead: Lead }) {
  const href = phoneHref(lead.phone);
  if (!href) return <Line text={lead.phone} />;
  return (
    <a href={href} className="whitespace-nowrap rounded-sm tabular-nums underline-offset-4 hover:underline">
      {lead.phone}
    </a>
  );
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

function Verified({ verified }: { verified: boolean | undefined }) {
  if (verified === undefined) {
    return (
      <span title="Not known" className="text-faint">
        <Minus aria-hidden className="size-4" />
        <span className="sr-only">Not known</span>
      </span>
    );
  }
  const Icon = verified ? Check : X;
  return (
    <span title={verified ? 'Verified' : 'Not valid'} className={verified ? 'text-success' : 'text-danger'}>
      <Icon aria-hidden className="size-4" />
      <span className="sr-only">{verified ? 'Verified' : 'Not valid'}</span>
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

const emailCell = ({ row: { original: lead } }: Cell) =>
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

/** Without emails beside it there is room for a whole address. */
const ADDRESS_WIDTH = 'max-w-md group-data-enriched/leads:max-w-60';

const ALL = helper.columns([
  helper.display({ id: 'businessName', cell: ({ row }) => <Name text={row.original.businessName} /> }),
  helper.display({ id: 'phone', cell: ({ row }) => <Phone lead={row.original} /> }),
  helper.display({ id: 'email', cell: emailCell }),
  helper.display({
    id: 'emailConfidence',
    cell: ({ row: { original: lead } }) =>
      lead.emailConfidence === undefined ? (
        <None />
      ) : (
        <Badge tone={confidenceTone(lead.emailConfidence)} className="tabular-nums">
          {lead.emailConfidence}%
        </Badge>
      ),
  }),
  helper.display({
    id: 'ownerName',
    cell: ({ row }) => <Line text={row.original.ownerName} className="max-w-28 min-[90rem]:max-w-40" />,
  }),
  helper.display({ id: 'status', cell: ({ row }) => <Compliance lead={row.original} /> }),
  helper.display({ id: 'call', cell: ({ row }) => <CallCell leadId={row.original.id} /> }),
  helper.display({
    id: 'address',
    cell: ({ row: { original: lead } }) => (
      <Line
        text={lead.address || (lead.serviceArea ? 'Service area business' : '')}
        className={`${ADDRESS_WIDTH} text-secondary`}
      />
    ),
  }),
  helper.display({ id: 'website', cell: ({ row }) => <Website lead={row.original} /> }),
  helper.display({
    id: 'ownerTitle',
    cell: ({ row }) => <Line text={row.original.ownerTitle} className="max-w-48 text-secondary" />,
  }),
  helper.display({ id: 'emailVerified', cell: ({ row }) => <Verified verified={row.original.emailVerified} /> }),
  helper.display({
    id: 'phoneType',
    cell: ({ row }) => <Line text={phoneTypeText(row.original.phoneType)} className="max-w-32" />,
  }),
]);

/** What the table needs to know of these columns, in this order. */
export const leadColumns = (ids: readonly ColumnId[]) =>
  ids.flatMap((id) =>
    ALL.filter((column) => column.id === id).map((column) => ({ ...column, header: columnLabel(id) })),
  );
