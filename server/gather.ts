/**
 * Does `work` on what it is given, one time after the other: what is given while it is at work waits, and is worked on together. Each
 * giver is answered with the outcome of the work that theirs was part of.
 */
export function gather<T>(work: (items: readonly T[]) => Promise<void>): (item: T) => Promise<void> {
  let last = Promise.resolve();
  let waiting: { items: T[]; done: Promise<void> } | undefined;
  return (item) => {
    if (waiting) {
      waiting.items.push(item);
      return waiting.done;
    }
    const items = [item];
    const begin = () => {
      waiting = undefined;
      return work(items);
    };
    const done = last.then(begin, begin);
    waiting = { items, done };
    last = done;
    return done;
  };
}
