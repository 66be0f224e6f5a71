import { useRef } from 'react';
import { COMPLIANCE_PER_LEAD_MICROS } from '#contract/costs.ts';
import type { LeadList } from '#contract/lists.ts';
import { formatMoney, plural } from '#web/lib/format.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

/** Asks before a paid check of `count` leads, with its cost. `selected`: of chosen leads, not of the whole list. */
export function CheckComplianceDialog({
  list,
  count,
  selected,
  providerMissing,
  onConnectProvider,
  onStart,
  onClose,
}: {
  list: LeadList;
  count: number;
  selected: boolean;
  providerMissing: boolean;
  onConnectProvider: () => void;
  onStart: () => void;
  onClose: () => void;
}) {
  const started = useRef(false);
  const start = () => {
    if (started.current) return;
    started.current = true;
    onStart();
  };
  const what = selected ? `the ${plural(count, 'selected lead')}` : `all ${plural(count, 'lead')}`;
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
          <span className="flex items-baseline justify-between gap-4 rounded-lg border px-3 py-2 tabular-nums">
            <span>{`Estimated cost · ${plural(count, 'lead')} × ${formatMoney(COMPLIANCE_PER_LEAD_MICROS)}`}</span>
            <span className="font-semibold text-foreground">{formatMoney(count * COMPLIANCE_PER_LEAD_MICROS)}</span>
          </span>
          {providerMissing ? <span className="text-warning">SearchBug API key is missing.</span> : null}
        </span>
      }
      confirmText={providerMissing ? 'Connect SearchBug' : 'Check Compliance'}
      onConfirm={providerMissing ? onConnectProvider : start}
    />
  );
}
