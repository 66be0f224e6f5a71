import { lazy, Suspense, useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { rememberReturnTo } from '#web/lib/session/return-to.ts';
import { useSecondStepDemanded } from '#web/lib/session/second-step.ts';
import { useSession } from '#web/lib/session/session.tsx';

// Few have a second step: its forms come when they are needed.
const SecondStepGate = lazy(async () => ({
  default: (await loadAgain(() => import('./second-step-gate.tsx'), 'SecondStepGate')).SecondStepGate,
}));

/**
 * Lets people with a session through, and sends the others to /login. A page that was reached with a session stays when
 * the session ends: it then shows its signed-out state. Anyone who has a second step to prove does that first.
 */
export function RequireSession() {
  const { status, user } = useSession();
  const demanded = useSecondStepDemanded();
  const { pathname, search, hash } = useLocation();
  const [admittedTo, setAdmittedTo] = useState<string>();
  const wanted = `${pathname}${search}${hash}`;
  const refused = status === 'signed_out' && admittedTo !== pathname;

  if (status === 'signed_in' && admittedTo !== pathname) setAdmittedTo(pathname);
  useEffect(() => {
    if (refused) rememberReturnTo(wanted);
  }, [refused, wanted]);

  if (status === 'loading') return null;
  if (user?.secondStep === 'open' || (user?.secondStep === 'none' && demanded))
    return (
      <Suspense>
        <SecondStepGate />
      </Suspense>
    );
  return refused ? <Navigate to="/login" replace /> : <Outlet />;
}
