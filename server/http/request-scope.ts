import { AsyncLocalStorage } from 'node:async_hooks';

/** What every line that is logged on behalf of a request carries, however deep it is logged: `userId` once it is known who asks. */
export type RequestScope = { requestId: string; userId?: string };

export const requestScope = new AsyncLocalStorage<RequestScope>();

/** Requests that this server sends itself, each with the scope of the one that it was made for. */
const inside = new WeakMap<Request, RequestScope>();

/** Has `request`, which is given to the app from within a request, go on under the id of that one. */
export function goOnInside(request: Request): void {
  const scope = requestScope.getStore();
  if (scope) inside.set(request, scope);
}

/** The scope of the request that `request` is made for, if it comes from inside. */
export const scopeAround = (request: Request): RequestScope | undefined => inside.get(request);

/** Has every further line of the request under way name who asks, by their id alone. Outside a request nothing happens. */
export function nameActor(userId: string): void {
  const scope = requestScope.getStore();
  if (scope) scope.userId = userId;
}

/** The same verifier; the requests whose tokens it accepts name their owner in the log. */
export const namingActor =
  <T extends { userId: string }>(verify: (token: string) => Promise<T | undefined>) =>
  async (token: string): Promise<T | undefined> => {
    const verified = await verify(token);
    if (verified) nameActor(verified.userId);
    return verified;
  };
