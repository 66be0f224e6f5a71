import { useQuery } from '@tanstack/react-query';
import { ProveSecondStep } from '#web/features/access/second-step/prove-second-step.tsx';
import { factorsQuery } from '#web/features/access/second-step/second-step-api.ts';
import { settleProof } from '#web/lib/session/fresh-proof.ts';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Dialog, DialogBody, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { MailProof } from './mail-proof.tsx';

const confirmed = () => settleProof(true);
const giveUp = () => settleProof(false);

/**
 * Asks who is there, over whatever is open, when something needs a fresh proof. That goes on once it is given; nothing of it happens when
 * the dialog is closed.
 */
export function ProofDialog({ email }: { email: string }) {
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : giveUp())}>
      <DialogContent
        size="sm"
        title="Confirm it’s you"
        description="You signed in a while ago. Your request continues as soon as you confirm."
      >
        <Proof email={email} />
      </DialogContent>
    </Dialog>
  );
}

/** By the second step, where there is one: it is there because someone else may read the mail. */
function Proof({ email }: { email: string }) {
  const factors = useQuery(factorsQuery);
  if (factors.data?.length === 0) return <MailProof email={email} onProven={confirmed} />;
  return (
    <DialogBody>
      {factors.data ? <ProveSecondStep factors={factors.data} onProven={confirmed} /> : null}
      {!factors.data && factors.error ? (
        <ReadFailed title="Your second step could not be loaded" query={factors} again="Try again">
          {factors.error.message}
        </ReadFailed>
      ) : null}
      {factors.isPending ? (
        <div role="status" className="grid gap-4">
          <span className="sr-only">Loading</span>
          <Skeleton className="h-9" />
          <Skeleton className="h-10" />
        </div>
      ) : null}
    </DialogBody>
  );
}
