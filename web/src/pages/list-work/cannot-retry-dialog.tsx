import type { LeadList } from '#contract/work/lists.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';

/** Says that a list's search cannot be repeated, and offers a new one in its place. */
export function CannotRetryDialog({
  list,
  onNewSearch,
  onClose,
}: {
  list: LeadList;
  onNewSearch: () => void;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="This search can’t be retried"
      description={
        <>
          <bdi className="break-words font-medium text-foreground">“{list.name}”</bdi> does not say what was searched
          for and where. Start a new search instead, and delete this list when you no longer need it.
        </>
      }
      confirmText="New Search"
      onConfirm={onNewSearch}
    />
  );
}
