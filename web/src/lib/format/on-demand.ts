/** Makes a value when it is first asked for, and once: a formatter of Intl takes a slow phone 10 ms. */
export function onDemand<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
