import { onTestFinished } from 'vitest';
import { API_LIMITS } from '#server/limits/api-limits.ts';

/** Until the test ends, lets someone press more buttons in a minute than the servers of this process allow a person. */
export function pressWithoutLimit(): void {
  const { hits } = API_LIMITS.paid;
  Object.assign(API_LIMITS.paid, { hits: 1_000_000 });
  onTestFinished(() => void Object.assign(API_LIMITS.paid, { hits }));
}
