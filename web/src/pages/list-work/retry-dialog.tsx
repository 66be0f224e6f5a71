import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { COMPLIANCE_PER_LEAD_MICROS, ENRICHMENT_PER_LEAD_MICROS, SEARCH_PER_LEAD_MICROS } from '#contract/costs.ts';
import type { LeadList } from '#contract/lists.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import type { ListRunKind } from '#contract/runs.ts';
import { readMaxResults } from '#contract/search.ts';
import { complianceEstimateQuery } from '#web/features/compliance/api.ts';
import { compliancePriceLine } from '#web/features/compliance/price-text.ts';
import { enrichmentEstimateQuery } from '#web/features/enrichment/api.ts';
import { enrichmentPriceLine } from '#web/features/enrichment/price-text.ts';
import { formOf, searchCountQuery } from '#web/features/search/api.ts';
import { searchPriceLine } from '#web/features/search/count-text.ts';
import { formatMoney, formatRate, plural } from '#web/lib/format.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { PriceBound, type PriceLine } from '#web/ui/price-bound.tsx';
import { PROVIDER_OF } from './job.ts';

const WHAT: Record<ListRunKind, { noun: string; perLeadMicros: number }> = {
  search: { noun: 'search', perLeadMicros: SEARCH_PER_LEAD_MICROS },
  enrichment: { noun: 'email enrichment', perLeadMicros: ENRICHMENT_PER_LEAD_MICROS },
  compliance: { noun: 'compliance check', perLeadMicros: COMPLIANCE_PER_LEAD_MICROS },
};

/** How many leads a retry is about: as many as a search asks for, else the chosen ones or all of the list. */
const leadsOf = (kind: ListRunKind, list: LeadList, selected: number | undefined): number =>
  kind === 'search' ? readMaxResults(String(list.searchParams.maxResults ?? '')) : (selected ?? list.leadCount);

/** Asks before failed work is repeated, with its count and cost. */
export function RetryDialog({
  list,
  kind,
  leadIds,
  finish = false,
  spendAtMost,
  blocked,
  keyMissing,
  onConnectKey,
  onRetry,
  onClose,
}: {
  list: LeadList;
  kind: ListRunKind;
  /** The leads that had been chosen; undefined when it was about all of them. */
  leadIds: readonly string[] | undefined;
  /** Whether it goes on with what is missing, instead of repeating what failed. */
  finish?: boolean | undefined;
  /** The field for what it may cost at the most. */
  spendAtMost: ReactNode;
  /** Whether that field can not be read. */
  blocked: boolean;
  keyMissing: boolean;
  onConnectKey: () => void;
  /** `boundMicros`: what it may cost, as it was shown; undefined while that is not known. */
  onRetry: (boundMicros: number | undefined) => void;
  onClose: () => void;
}) {
  const started = useRef(false);
  const price = usePrice(kind, list, leadIds, keyMissing);
  const start = () => {
    if (started.current) return;
    started.current = true;
    onRetry(price.price?.boundMicros);
  };
  const { noun, perLeadMicros } = WHAT[kind];
  const leads = leadsOf(kind, list, leadIds?.length);
  const { name } = PROVIDER_CATALOGUE[PROVIDER_OF[kind]];
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={finish ? `Finish the rest of the ${noun}?` : `Retry the ${noun}?`}
      description={
        <span className="grid gap-3">
          <span>
            The {noun} of <bdi className="break-words font-medium text-foreground">“{list.name}”</bdi>{' '}
            {finish
              ? `goes on with what is missing. What is known is kept and not paid for again.${kind === 'compliance' ? '' : ' A request whose answer was lost is sent anew and may be charged anew.'}`
              : 'is repeated. What was found before is kept, and nothing is paid for twice.'}
          </span>
          <span className="block rounded-lg border">
            <span className="flex items-baseline justify-between gap-4 px-3 py-2 tabular-nums">
              <span>{`At most · ${plural(leads, leadIds ? 'selected lead' : 'lead')} × ${formatRate(perLeadMicros)}`}</span>
              <span className="font-semibold text-foreground">{formatMoney(leads * perLeadMicros)}</span>
            </span>
            {keyMissing ? null : (
              <span className="block border-t px-3 py-2">
                <PriceBound lines={[price]} />
              </span>
            )}
          </span>
          {keyMissing ? <span className="text-warning">{`${name} API key is missing.`}</span> : null}
        </span>
      }
      confirmText={keyMissing ? `Connect ${name}` : finish ? 'Finish the rest' : 'Retry'}
      disabled={blocked && !keyMissing}
      onConfirm={keyMissing ? onConnectKey : start}
    >
      {keyMissing ? null : spendAtMost}
    </ConfirmDialog>
  );
}

/** What the repetition costs at the most. */
function usePrice(
  kind: ListRunKind,
  list: LeadList,
  leadIds: readonly string[] | undefined,
  keyMissing: boolean,
): PriceLine {
  const form = formOf(list.searchParams);
  const search = useQuery({ ...searchCountQuery(form), enabled: kind === 'search' && !keyMissing });
  const emails = useQuery({ ...enrichmentEstimateQuery(list.id), enabled: kind === 'enrichment' });
  const compliance = useQuery({ ...complianceEstimateQuery(list.id, leadIds), enabled: kind === 'compliance' });
  switch (kind) {
    case 'search':
      return searchPriceLine(search, form.location);
    case 'enrichment':
      return enrichmentPriceLine(emails);
    case 'compliance':
      return compliancePriceLine(compliance);
  }
}
