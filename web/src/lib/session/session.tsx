import type { Session } from '@supabase/supabase-js';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { AppConfig } from '#contract/config.ts';
import { useConfig } from '#web/lib/backend/config.tsx';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { whenQuiet } from '#web/lib/query/when-quiet.ts';
import { sessionBegan, sessionEnded } from '#web/lib/storage/drafts.ts';
import { type SecondStep, secondStepOf, setSecondStepDemanded } from './second-step.ts';
import { isNothingStored, usableSession } from './stored-session.ts';

/** An address that waits for both mailboxes; `sentAt` is when the last links went out (ISO). */
export type PendingAddress = { email: string; sentAt: string };

/** `role` is what the session's metadata says: for display only, the server decides by its own records. */
export type SessionUser = {
  id: string;
  email: string;
  /** The confirmed number (E.164). */
  phone: string | undefined;
  role: 'user' | 'admin';
  change: PendingAddress | undefined;
  secondStep: SecondStep;
};

/** `loading` until the stored session has been looked at. */
export type SessionState =
  | { status: 'loading'; user: undefined }
  | { status: 'signed_in'; user: SessionUser }
  | { status: 'signed_out'; user: undefined };

/** How long after the client could not be loaded it is asked for again, in ms. */
const AGAIN_MS = 15_000;

const LOADING: SessionState = { status: 'loading', user: undefined };
const SIGNED_OUT: SessionState = { status: 'signed_out', user: undefined };

function stateOf(session: Session | null): SessionState {
  if (!session) return SIGNED_OUT;
  const { id, email, user_metadata: metadata, new_email: to, email_change_sent_at: sentAt } = session.user;
  const change = to ? { email: to, sentAt: sentAt ?? '' } : undefined;
  const { phone: digits, phone_confirmed_at: isConfirmed } = session.user;
  const phone = digits && isConfirmed ? `+${digits}` : undefined;
  const role = metadata?.role === 'admin' ? 'admin' : 'user';
  const secondStep = secondStepOf(session);
  return { status: 'signed_in', user: { id, email: email ?? '', phone, role, change, secondStep } };
}

const isSame = (a: SessionState, b: SessionState): boolean =>
  a.status === b.status &&
  a.user?.id === b.user?.id &&
  a.user?.email === b.user?.email &&
  a.user?.phone === b.user?.phone &&
  a.user?.role === b.user?.role &&
  a.user?.secondStep === b.user?.secondStep &&
  a.user?.change?.email === b.user?.change?.email &&
  a.user?.change?.sentAt === b.user?.change?.sentAt;

/** What is known before the client is there, which comes after the page where that is enough. */
function firstState(config: AppConfig): SessionState {
  if (isNothingStored()) return SIGNED_OUT;
  const session = usableSession(config);
  return session ? stateOf(session) : LOADING;
}

const SessionContext = createContext<SessionState>(LOADING);

/** Follows the session through sign-in, sign-out (in any tab) and expiry. What one person saw is forgotten for the next. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const config = useConfig();
  const [first] = useState(() => firstState(config));
  const [state, setState] = useState(first);

  useEffect(() => {
    let active = true;
    let lastUserId = first.user?.id;
    if (lastUserId !== undefined) sessionBegan(lastUserId);
    let stop = () => {};
    const follow = async () => {
      if (first.status !== 'loading') await whenQuiet();
      if (!active) return;
      const supabase = await getSupabase();
      if (!active) return;
      const { data } = supabase.auth.onAuthStateChange((_event, session) => {
        const next = stateOf(session);
        // Before the page is drawn without the session, and its forms are gone.
        if (next.user) sessionBegan(next.user.id);
        else if (lastUserId !== undefined) sessionEnded(lastUserId);
        lastUserId = next.user?.id;
        setState((previous) => (isSame(previous, next) ? previous : next));
      });
      stop = () => data.subscription.unsubscribe();
    };
    let again: number | undefined;
    const begin = () =>
      follow().catch((error: unknown) => {
        if (!active) return;
        // The stored session is enough for the page until then.
        if (first.status !== 'loading') again = window.setTimeout(begin, AGAIN_MS);
        // Thrown while rendering, where an error boundary sees it.
        else
          setState(() => {
            throw error;
          });
      });
    void begin();
    return () => {
      active = false;
      window.clearTimeout(again);
      stop();
    };
  }, [first]);

  const userId = state.user?.id;
  useEffect(() => {
    if (userId === undefined) return;
    return () => {
      queries.clear();
      setSecondStepDemanded(false);
    };
  }, [userId, queries]);

  return <SessionContext value={state}>{children}</SessionContext>;
}

export const useSession = (): SessionState => useContext(SessionContext);
