import { useQuery } from '@tanstack/react-query';
import type { Import } from '#contract/imports/imports.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { plural } from '#web/lib/format/format.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { filledSinceQuery, useUndo } from './api.ts';

/** Asks before an import is taken back, and says what stays. */
export function UndoDialog({ item, onClose }: { item: Import; onClose: () => void }) {
  const undo = useUndo();
  const { data: staying = 0, isFetching, error } = useQuery(filledSinceQuery(item.id));
  const refused = undo.error ?? error;
  const confirm = () =>
    undo.mutate(item.id, {
      onSuccess: ({ removed, restored, changedSince }) => {
        const parts = [
          ...(removed > 0 ? [`${plural(removed, 'lead')} removed`] : []),
          ...(restored > 0 ? [`${plural(restored, 'lead')} as before`] : []),
          ...(changedSince > 0 ? [`${plural(changedSince, 'lead')} left as changed since`] : []),
        ];
        toast.success(
          'Import undone',
          parts.length > 0 ? `${parts.join(', ')}.` : 'Nothing of it was left in your lists.',
        );
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Undo this import?"
      description={
        <>
          The leads of <bdi>{item.name}</bdi> are removed with everything that was found for them since, paid answers
          included.
          {item.updated > 0
            ? ' Fields that it filled in other lists are empty again, unless you changed them since.'
            : ''}
          {staying > 0
            ? ` ${plural(staying, 'lead')} will stay in the list, whole. A later file filled such a lead or says not to call it, or a lead of another list joined it.`
            : ''}{' '}
          Leads that you copied or moved to other lists, and files you exported, stay.
        </>
      }
      confirmText="Undo import"
      destructive
      pending={undo.isPending}
      disabled={isFetching || error !== null}
      refused={refused ? errorMessage(refused) : undefined}
      onConfirm={confirm}
    />
  );
}
