import { PROVIDER_CATALOGUE, type ProviderId } from '#contract/providers.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useDeleteKey } from './change-keys.ts';

/** Asks before a key is removed. `onFailure` gets the reason, for the page's banner. */
export function DisconnectDialog({
  provider,
  open,
  onOpenChange,
  onFailure,
}: {
  provider: ProviderId;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onFailure: (reason: string) => void;
}) {
  const { name } = PROVIDER_CATALOGUE[provider];
  const deleting = useDeleteKey();
  const disconnect = () =>
    deleting.mutate(provider, {
      onSuccess: () => toast.success('Disconnected', `The ${name} key was removed.`),
      onError: (error) => {
        toast.error('Error', 'Failed to disconnect');
        onFailure(errorMessage(error));
      },
      onSettled: () => onOpenChange(false),
    });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Disconnect ${name}?`}
      description="This will permanently remove your API key. You'll need to reconnect to use this service again."
      confirmText="Disconnect"
      destructive
      pending={deleting.isPending}
      onConfirm={disconnect}
    />
  );
}
