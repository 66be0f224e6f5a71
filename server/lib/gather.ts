/**
 * Does `work` on what it is given, one time after the other: what is given while it is at work waits, and is worked on together. `work`
 * answers for each item, in their order; the one who gave it gets that, or what the work that theirs was part of has thrown. Throws an Error
 * when there are not as many answers as items.
 */
export function gather<T, R>(work: (items: readonly T[]) => Promise<readonly R[]>): (item: T) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: { items: T[]; done: Promise<readonly R[]> } | undefined;
  return async (item) => {
    if (!waiting) {
      const items: T[] = [];
      const begin = () => {
        waiting = undefined;
        return answerAll(work, items);
      };
      const done = last.then(begin, begin);
      waiting = { items, done };
      last = done;
    }
    const { items, done } = waiting;
    const place = items.push(item) - 1;
    return (await done)[place] as R;
  };
}

/** An answer that belongs to another's item would be worse than none. */
async function answerAll<T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  items: readonly T[],
): Promise<readonly R[]> {
  const answers = await work(items);
  if (answers.length !== items.length)
    throw new Error(`Of ${items.length} items in one batch, ${answers.length} got a result.`);
  return answers;
}
