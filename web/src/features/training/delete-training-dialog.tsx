import { TRAINING_PAGE_LABELS, type TrainingPage } from '#contract/admin/training.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useDeleteTraining } from './editor-api.ts';

/** Asks before a page's video is taken away. */
export function DeleteTrainingDialog({
  page,
  title,
  onClose,
}: {
  page: TrainingPage;
  title: string;
  onClose: () => void;
}) {
  const deleting = useDeleteTraining();
  const remove = () =>
    deleting.mutate(page, {
      onSuccess: () => toast.success('Training video deleted successfully.'),
      onError: (error) => toast.error('The video could not be deleted', errorMessage(error)),
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Delete training video"
      description={
        <>
          Are you sure you want to delete <bdi className="break-words font-medium text-foreground">“{title}”</bdi> of{' '}
          {TRAINING_PAGE_LABELS[page]}? This action cannot be undone.
        </>
      }
      confirmText="Delete"
      destructive
      pending={deleting.isPending}
      onConfirm={remove}
    />
  );
}
