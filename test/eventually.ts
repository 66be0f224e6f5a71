import { vi } from 'vitest';

/** As long as anything may take on a busy machine, in ms. */
const PATIENCE_MS = 30_000;

/** Repeats a check until it holds, and returns what it returns. Rejects as it last did. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: PATIENCE_MS });
