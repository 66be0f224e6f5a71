import { useLocation, useNavigate } from 'react-router';
import { rememberReturnTo } from '#web/lib/session/return-to.ts';

/** Goes to the sign-in, and from there back to this page. */
export function useSignIn(): () => void {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  return () => {
    rememberReturnTo(`${pathname}${search}${hash}`);
    void navigate('/login');
  };
}
