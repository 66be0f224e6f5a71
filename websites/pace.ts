/**
 * Lets one request at a time go to a host, and the next one no sooner than `gapMs` after it ended.
 * - `host`: what shares the pace: the registrable domain, so that "www." is no other host.
 * - Rejects with what `request` rejects with, or with the signal's reason.
 */
export type Pace = <T>(host: string, gapMs: number, request: () => Promise<T>, signal: AbortSignal) => Promise<T>;
