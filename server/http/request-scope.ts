import { AsyncLocalStorage } from 'node:async_hooks';

/** What every line that is logged on behalf of a request carries, however deep it is logged. */
export const requestScope = new AsyncLocalStorage<{ requestId: string }>();
