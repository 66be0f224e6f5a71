import { useSyncExternalStore } from 'react';

/** Shown where someone closed the question instead of answering it. */
export const NOT_CONFIRMED = 'Nothing was changed, because you did not confirm your identity.';

type Question = { answered: Promise<boolean>; settle: (isProven: boolean) => void };

let question: Question | undefined;
const listeners = new Set<() => void>();

function setQuestion(next: Question | undefined): void {
  question = next;
  for (const listener of listeners) listener();
}

/** Asks the person to confirm that it is them; false when they would not. What asks at the same time shares one question. */
export function askForProof(): Promise<boolean> {
  if (!question) {
    const { promise: answered, resolve: settle } = Promise.withResolvers<boolean>();
    setQuestion({ answered, settle });
    return answered;
  }
  return question.answered;
}

/** Ends the question, if there is one. */
export function settleProof(isProven: boolean): void {
  question?.settle(isProven);
  setQuestion(undefined);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useProofAsked = (): boolean => useSyncExternalStore(subscribe, () => question !== undefined);

type Answer = { error: { code?: string | undefined } | null };

/** Does what the sign-in may refuse a while after the last proof: then asks for one, and does it again. */
export async function withProof<T extends Answer>(act: () => Promise<T>): Promise<T> {
  const answer = await act();
  if (answer.error?.code !== 'reauthentication_needed') return answer;
  return (await askForProof()) ? act() : answer;
}
