/**
 * Stands in the bundle for the parts of supabase-js that this app never calls (realtime, storage, functions); vite.config.ts
 * puts it in their place. They are a third of the first download.
 */
class Unused {
  setAuth(): Promise<void> {
    return Promise.resolve();
  }
}
class UnusedError extends Error {}

export const FunctionRegion = {};
export {
  Unused as FunctionsClient,
  Unused as RealtimeClient,
  Unused as StorageClient,
  UnusedError as FunctionsError,
  UnusedError as FunctionsFetchError,
  UnusedError as FunctionsHttpError,
  UnusedError as FunctionsRelayError,
  UnusedError as StorageApiError,
};
