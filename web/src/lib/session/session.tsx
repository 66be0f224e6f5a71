import type { Session } from '@supabase/supabase-js';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { getSupabase, SESSION_STORAGE_KEY } from '#web/lib/backend/supabase.ts';
import { whenQuiet } from '#web/lib/query/when-quiet.ts';
import { sessionBegan, sessionEnded } from '#web/lib/storage/drafts.ts';
import { readStored } from '#web/lib/storage/storage.ts';
import { EARLIER_TOKEN_KEY } from './earlier-session.ts';
import { type SecondStep, secondStepOf, setSecondStepDemanded } from './second-step.ts';

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

/** Sessions come from storage alone: a link that signs in is settled before the first page. */
const isNothingStored = (): boolean =>
  readStored(SESSION_STORAGE_KEY) === undefined && readStored(EARLIER_TOKEN_KEY) === undefined;

const SessionContext = createContext<SessionState>(LOADING);

/** Follows the session through sign-in, sign-out (in any tab) and expiry. What one person saw is forgotten for the next. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [state, setState] = useState<SessionState>(() => (isNothingStored() ? SIGNED_OUT : LOADING));

  useEffect(() => {
    let active = true;
    let lastUserId: string | undefined;
    let stop = () => {};
    const follow = async () => {
      // Without a session the page comes first, and the library that follows sign-ins after it.
      if (isNothingStored()) await whenQuiet();
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
    follow().catch((error: unknown) =>
      // Thrown while rendering, where an error boundary sees it.
      setState(() => {
        throw error;
      }),
    );
    return () => {
      active = false;
      stop();
    };
  }, []);

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
