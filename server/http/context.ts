import type { Logger } from 'pino';
import type { Deps } from '#server/deps.ts';

/** The signed-in person, as table profiles knows them. */
export type CurrentUser = {
  userId: string;
  sessionId: string;
  email: string;
  role: 'user' | 'admin';
  /** `aal2` once a second factor was proven. */
  aal: 'aal1' | 'aal2';
  /** Whether they have signed in, or shown again that it is them, a moment ago. */
  isFresh: boolean;
};

/** Names the run that the request is about in its answer, whatever that will be. */
type TellRun = (runId: string) => void;

/** What every verb gets. `signal` aborts when the caller has gone. */
export type PublicCtx = {
  deps: Deps;
  requestId: string;
  log: Logger;
  signal: AbortSignal;
  ip: string;
  tellRun?: TellRun;
};
export type Ctx = PublicCtx & { user: CurrentUser };
