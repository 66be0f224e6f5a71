import { lazy, Suspense, useEffect } from 'react';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { settleProof, useProofAsked } from '#web/lib/session/fresh-proof.ts';
import { useSession } from '#web/lib/session/session.tsx';

const ProofDialog = lazy(async () => ({
  default: (await loadAgain(() => import('./proof-dialog.tsx'), 'ProofDialog')).ProofDialog,
}));

/** Asks the person who is signed in to prove who they are. */
export function ProofQuestion() {
  const isAsked = useProofAsked();
  const { user } = useSession();
  const userId = user?.id;
  // No one answers for someone who has signed out meanwhile.
  useEffect(() => (userId === undefined ? undefined : () => settleProof(false)), [userId]);
  if (!isAsked || !user) return null;
  return (
    <Suspense fallback={null}>
      <ProofDialog email={user.email} />
    </Suspense>
  );
}
