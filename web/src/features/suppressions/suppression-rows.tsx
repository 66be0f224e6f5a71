import { useState } from 'react';
import { z } from 'zod/mini';
import type { Suppression } from '#contract/calling/suppressions.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatDate, formatTime } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useRemoveSuppression } from './api.ts';
import { PastExportsOf } from './past-exports.tsx';
import { comesBackText, kindLabel, removedText, SOURCE_LABELS, valueText } from './suppression-words.ts';

/** The entries of a page. `canRemove`: for administrators. */
export function SuppressionRows({ items, canRemove }: { items: readonly Suppression[]; canRemove: boolean }) {
  const [leaving, setLeaving] = useState<Suppression>();
  return (
    <>
      <ul aria-label="Suppressed contacts" className="divide-y rounded-lg border bg-surface">
        {items.map((item) => (
          <li key={item.id} className="flex flex-wrap items-start gap-x-4 gap-y-1 px-4 py-3">
            <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
              <p className="flex flex-wrap items-center gap-2">
                <bdi className="min-w-0 font-medium tabular-nums [overflow-wrap:anywhere]">{valueText(item)}</bdi>
                <Badge tone="neutral">{kindLabel(item.kind)}</Badge>
              </p>
              {item.note ? (
                <p dir="auto" className="text-left [overflow-wrap:anywhere]">
                  {item.note}
                </p>
              ) : null}
              <p className="text-secondary text-sm [overflow-wrap:anywhere]">
                <span title={formatTime(item.addedAt)}>Added {formatDate(item.addedAt)}</span>{' '}
                {SOURCE_LABELS[item.source]}
                {item.addedBy ? `, ${item.addedBy}` : ''}
                {item.askedAt && formatDate(item.askedAt) !== formatDate(item.addedAt)
                  ? `, asked on ${formatDate(item.askedAt)}`
                  : ''}
              </p>
              <PastExportsOf item={item} />
            </div>
            {canRemove ? (
              <Button
                size="sm"
                variant="ghost"
                className="text-danger"
                aria-label={`Remove ${valueText(item)}`}
                onClick={() => setLeaving(item)}
              >
                Remove
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {leaving ? <RemoveDialog key={leaving.id} item={leaving} onClose={() => setLeaving(undefined)} /> : null}
    </>
  );
}

const LEAST_REASON = 3;

function RemoveDialog({ item, onClose }: { item: Suppression; onClose: () => void }) {
  const [reason, setReason, clear] = useDraftState(`remove-suppression:${item.id}`, z.string(), '');
  const [missing, setMissing] = useState(false);
  const close = () => {
    clear();
    onClose();
  };
  const removing = useRemoveSuppression();
  const remove = () => {
    const isMissing = reason.trim().length < LEAST_REASON;
    setMissing(isMissing);
    if (isMissing) return;
    removing.mutate(
      { id: item.id, reason: reason.trim() },
      {
        onSuccess: ({ heldBy }) => {
          toast.success('Removed from the list', removedText(item, heldBy));
          close();
        },
      },
    );
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : close())}
      title="Remove this entry?"
      description={
        <>
          <bdi>{valueText(item)}</bdi> will no longer be held back by this entry, in any list and for anyone. Other
          entries may still hold its leads. {comesBackText(item)}
        </>
      }
      confirmText="Remove"
      destructive
      pending={removing.isPending}
      refused={removing.error ? errorMessage(removing.error) : undefined}
      onConfirm={remove}
    >
      <Field
        label="Reason"
        hint="It is kept in the audit log."
        error={missing ? 'Say why, in a few words.' : undefined}
      >
        <Input
          autoComplete="off"
          maxLength={500}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setMissing(false);
          }}
        />
      </Field>
    </ConfirmDialog>
  );
}
