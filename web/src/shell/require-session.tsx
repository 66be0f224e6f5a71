import { useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { rememberReturnTo } from '#web/lib/return-to.ts';
import { useSession } from '#web/lib/session.tsx';

/**
 * Lets people with a session through, and sends the others to /login. A page that was reached with a session stays when
 * the session ends: it then shows its signed-out state.
 */
export function RequireSession() {
  const { status } = useSession();
  const { pathname, search, hash } = useLocation();
  const [admittedTo, setAdmittedTo] = useState<string>();
  const wanted = `${pathname}${search}${hash}`;
  const refused = status === 'signed_out' && admittedTo !== pathname;

  if (status === 'signed_in' && admittedTo !== pathname) setAdmittedTo(pathname);
  useEffect(() => {
    if (refused) rememberReturnTo(wanted);
  }, [refused, wanted]);

  if (status === 'loading') return null;
  return refused ? <Navigate to="/login" replace /> : <Outlet />;
}
