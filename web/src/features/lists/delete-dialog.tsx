import type { LeadList } from '#contract/work/lists.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';

export function DeleteDialog({
  list,
  pending,
  onDelete,
  onClose,
}: {
  list: LeadList;
  pending: boolean;
  onDelete: () => void;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Delete list"
      description={
        <>
          Are you sure you want to delete <bdi className="break-words font-medium text-foreground">“{list.name}”</bdi>?
          This action cannot be undone.
        </>
      }
      confirmText="Proceed"
      destructive
      pending={pending}
      onConfirm={onDelete}
    />
  );
}
