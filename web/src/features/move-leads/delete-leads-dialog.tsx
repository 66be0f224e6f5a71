import type { ChosenLeads } from '#contract/work/lead-choice.ts';
import type { LeadList } from '#contract/work/lists.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { plural } from '#web/lib/format/format.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useDeleteLeads } from './api.ts';

/** Asks before leads are deleted for good. */
export function DeleteLeadsDialog({
  list,
  chosen,
  onDone,
  onRefused,
  onClose,
}: {
  list: LeadList;
  chosen: ChosenLeads;
  onDone: (listIds: readonly string[]) => void;
  /** The leads may be others by now. */
  onRefused: () => void;
  onClose: () => void;
}) {
  const deleting = useDeleteLeads(list.id, chosen);
  const remove = () =>
    deleting.mutate(undefined, {
      onSuccess: ({ deleted }) => {
        toast.success('Leads deleted', `${plural(deleted, 'lead')} deleted from “${list.name}”.`);
        onDone([list.id]);
      },
      onError: (error) => {
        toast.error('The leads were not deleted', errorMessage(error));
        onRefused();
      },
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open || deleting.isPending ? undefined : onClose())}
      title={`Delete ${plural(chosen.count, 'lead')}?`}
      description={
        <>
          They are deleted from <bdi className="break-words font-medium text-foreground">“{list.name}”</bdi> for good.
          Other lists keep them. A later search may find them again and charge you for them.
        </>
      }
      confirmText="Delete"
      destructive
      pending={deleting.isPending}
      onConfirm={remove}
    />
  );
}
