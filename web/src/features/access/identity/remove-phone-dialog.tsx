import { formatPhone } from '#web/lib/format/format.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useRemovePhone } from './own-phone-api.ts';

/** Asks before the number that signs in is taken away. */
export function RemovePhoneDialog({ phone, onClose }: { phone: string; onClose: () => void }) {
  const removing = useRemovePhone();
  const remove = () =>
    removing.mutate(undefined, {
      onSuccess: () => toast.success('Number removed'),
      onError: (error) => toast.error('The number was not removed', error.message),
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Remove ${formatPhone(phone)}?`}
      description="You can no longer sign in with it. Emailed links still work, and your sessions stay open."
      confirmText="Remove"
      destructive
      pending={removing.isPending}
      onConfirm={remove}
    />
  );
}
