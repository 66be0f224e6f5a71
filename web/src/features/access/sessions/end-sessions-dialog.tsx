import { errorMessage } from '#web/lib/backend/api-error.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { type Ending, useEndSessions } from './sessions-api.ts';

/** Asks before someone is signed out elsewhere. */
export function EndSessionsDialog({ what, onClose }: { what: Ending; onClose: () => void }) {
  const ending = useEndSessions();
  const others = what === 'others';
  const confirm = () =>
    ending.mutate(what, {
      onSuccess: () => toast.success(others ? 'All other sessions ended' : 'Session ended'),
      onError: (error) => toast.error('The session could not be ended', errorMessage(error)),
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={others ? 'End all other sessions?' : 'End this session?'}
      description={
        others
          ? 'You will be signed out everywhere except here.'
          : `You will be signed out there: ${what.device}${what.ip ? `, ${what.ip}` : ''}.`
      }
      confirmText={others ? 'End all others' : 'End session'}
      destructive
      pending={ending.isPending}
      onConfirm={confirm}
    />
  );
}
