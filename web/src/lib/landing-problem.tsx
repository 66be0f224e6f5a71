import { createContext, type ReactNode, useContext } from 'react';
import type { LandingProblem } from './landing.ts';

const LandingProblemContext = createContext<LandingProblem | undefined>(undefined);

/** Tells the sign-in page why the link that opened this page did not sign in. */
export function LandingProblemProvider({
  problem,
  children,
}: {
  problem: LandingProblem | undefined;
  children: ReactNode;
}) {
  return <LandingProblemContext value={problem}>{children}</LandingProblemContext>;
}

export const useLandingProblem = (): LandingProblem | undefined => useContext(LandingProblemContext);
