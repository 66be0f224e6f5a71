import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Shown } from '#contract/money/budgets.ts';
import { COMPLIANCE_PER_LEAD_MICROS } from '#contract/money/costs.ts';
import type { ChosenLeads } from '#contract/work/lead-choice.ts';
import type { LeadList } from '#contract/work/lists.ts';
import { formatMoney, plural } from '#web/lib/format/format.ts';
import { type SpendAtMost, shownOf } from '#web/lib/format/price-line.ts';
import { PriceBound } from '#web/ui/form/price-bound.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { complianceEstimateQuery } from './api.ts';
import { compliancePriceLine } from './price-text.ts';

/** Asks before a paid check of a list, or of the chosen leads of it, with its cost. */
export function CheckComplianceDialog({
  list,
  chosen,
  spendAtMost,
  refusal,
  providerMissing,
  onConnectProvider,
  onStart,
  onClose,
}: {
  list: LeadList;
  /** Undefined for all leads. */
  chosen: ChosenLeads | undefined;
  spendAtMost: SpendAtMost;
  /** Why nothing may be spent on what costs so much; undefined when something may. */
  refusal: (boundMicros: number | undefined) => string | undefined;
  providerMissing: boolean;
  onConnectProvider: () => void;
  onStart: (shown: Shown) => void;
  onClose: () => void;
}) {
  const started = useRef(false);
  const estimate = useQuery(complianceEstimateQuery(list.id, chosen?.choice));
  const count = chosen?.count ?? list.leadCount;
  const line = compliancePriceLine(estimate, count);
  const { field, blocked, capMicros } = spendAtMost([line]);
  const refused = providerMissing ? undefined : (line.price?.nothing ?? refusal(line.price?.boundMicros));
  const start = () => {
    if (started.current) return;
    started.current = true;
    onStart(shownOf(line, capMicros));
  };
  const what = chosen ? `the ${plural(count, 'selected lead')}` : `all ${plural(count, 'lead')}`;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Check compliance"
      description={
        <span className="grid gap-3">
          <span>
            The phone numbers of {what} in <bdi className="font-medium text-foreground">“{list.name}”</bdi> are checked
            against do-not-call and litigator lists. Only US numbers are sent.
          </span>
          <span className="block rounded-lg border">
            <span className="flex items-baseline justify-between gap-4 px-3 py-2 tabular-nums">
              <span>{`Estimated cost at list price · ${plural(count, 'lead')} × ${formatMoney(COMPLIANCE_PER_LEAD_MICROS)}`}</span>
              <span className="font-semibold text-foreground">{formatMoney(count * COMPLIANCE_PER_LEAD_MICROS)}</span>
            </span>
            {providerMissing ? null : (
              <span className="block border-t px-3 py-2">
                <PriceBound lines={[line]} capMicros={capMicros} />
              </span>
            )}
          </span>
          {providerMissing ? <span className="text-warning">SearchBug API key is missing.</span> : null}
        </span>
      }
      confirmText={providerMissing ? 'Connect SearchBug' : 'Check Compliance'}
      disabled={!providerMissing && (blocked || refused !== undefined)}
      refused={refused}
      onConfirm={providerMissing ? onConnectProvider : start}
    >
      {providerMissing ? null : field}
    </ConfirmDialog>
  );
}
