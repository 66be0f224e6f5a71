import { useSyncExternalStore } from 'react';

/** How far someone has come: `none` without a second factor, `open` before it was proven in this session. For display only. */
export type SecondStep = 'none' | 'open' | 'proven';

type Signed = { access_token: string; user: { factors?: { status: string }[] } };

/** What a session says of the second step. */
export function secondStepOf({ access_token: token, user }: Signed): SecondStep {
  if (levelOf(token) === 'aal2') return 'proven';
  return user.factors?.some(({ status }) => status === 'verified') ? 'open' : 'none';
}

function levelOf(accessToken: string): unknown {
  try {
    const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(atob(payload)).aal;
  } catch {
    return undefined;
  }
}

let demanded = false;
const listeners = new Set<() => void>();

/** Whether the server has refused this person for want of a second step. */
export function setSecondStepDemanded(next: boolean): void {
  demanded = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useSecondStepDemanded = (): boolean => useSyncExternalStore(subscribe, () => demanded);
