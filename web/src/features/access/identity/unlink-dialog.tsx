import type { UserIdentity } from '@supabase/supabase-js';
import { identityErrorText } from '#web/features/access/codes/sign-in-messages.ts';
import { providerName } from '#web/features/access/sign-in/sign-in-providers.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useUnlinkIdentity } from './identities-api.ts';

/** Asks before a way in is taken away. */
export function UnlinkDialog({ identity, onClose }: { identity: UserIdentity; onClose: () => void }) {
  const unlinking = useUnlinkIdentity();
  const name = providerName(identity.provider);
  const confirm = () =>
    unlinking.mutate(identity, {
      onSuccess: () => toast.success(`${name} is unlinked`),
      onError: (error) => toast.error(`${name} could not be unlinked`, identityErrorText(error)),
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Unlink ${name}?`}
      description="You can no longer sign in with it, unless it has the same address. Emailed links still work, and your sessions stay open."
      confirmText="Unlink"
      destructive
      pending={unlinking.isPending}
      onConfirm={confirm}
    />
  );
}
