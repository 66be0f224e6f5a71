import type { Factor } from '@supabase/supabase-js';
import { toast } from '#web/ui/feedback/toast.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { factorName, useRemoveFactor } from './second-step-api.ts';

function consequence(factor: Factor, isLast: boolean): string {
  if (isLast)
    return 'This turns off two-step sign-in: anyone who can read your email can sign in. If administrators require it, you must set it up again right away.';
  return factor.factor_type === 'phone'
    ? 'We stop texting codes to it.'
    : 'Its codes stop working. Delete it from the app as well.';
}

/** Asks before a second step goes. */
export function RemoveFactorDialog({
  factor,
  isLast,
  onClose,
}: {
  factor: Factor;
  isLast: boolean;
  onClose: () => void;
}) {
  const removing = useRemoveFactor();
  const name = factorName(factor);
  const remove = () =>
    removing.mutate(factor.id, {
      onSuccess: () => toast.success(isLast ? 'Two-step sign-in is off' : `${name} removed`),
      onError: (error) => toast.error('Not removed', error.message),
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Remove ${name}?`}
      description={consequence(factor, isLast)}
      confirmText="Remove"
      destructive
      pending={removing.isPending}
      onConfirm={remove}
    />
  );
}
