import { useRef } from 'react';
import { useSession } from './session.tsx';

/** The id of who is signed in, or was until the session ended under this page. */
export function useLastUser(): string | undefined {
  const { user } = useSession();
  const last = useRef(user?.id);
  if (user) last.current = user.id;
  return last.current;
}
