import { API_LIMITS } from '#server/limits/api-limits.ts';

/** Lets somebody press more buttons in a minute than the servers of this process allow a person. */
export function pressWithoutLimit(): void {
  Object.assign(API_LIMITS.paid, { hits: 1_000_000 });
}
