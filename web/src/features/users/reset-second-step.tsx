import { useState } from 'react';
import type { AdminUser } from '#contract/admin/users.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useResetSecondStep } from './api.ts';

/** For someone who has lost their authenticator app. */
export function ResetSecondStep({ user }: { user: AdminUser }) {
  const [asking, setAsking] = useState(false);
  const resetting = useResetSecondStep();
  const reset = () =>
    resetting.mutate(user.id, {
      onSuccess: () =>
        toast.success('Two-step sign-in reset', `${user.email} can now sign in by email and set it up again.`),
      onError: (error) => toast.error('Reset failed', errorMessage(error)),
      onSettled: () => setAsking(false),
    });
  return (
    <>
      <Button size="sm" aria-label={`Reset two-step sign-in of ${user.email}`} onClick={() => setAsking(true)}>
        Reset 2-step
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Reset two-step sign-in?"
        description={`Do this only if you are sure that the request comes from ${user.email}. It removes their authenticator apps and ends their sessions.`}
        confirmText="Reset"
        destructive
        pending={resetting.isPending}
        onConfirm={reset}
      />
    </>
  );
}
