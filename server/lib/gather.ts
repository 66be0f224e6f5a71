/**
 * Does `work` on batches, one after the other: items that come while it is at work wait for the next batch.
 * - `before`: waited for before each batch. What comes meanwhile belongs to it.
 * - `work` returns a result for each item, in their order. Each caller gets the result of its item.
 * @throws what `work` throws, to each caller of that batch; an Error when there are not as many results as items.
 */
export function gather<T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  { before }: { before?: () => Promise<void> } = {},
): (item: T) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: { items: T[]; done: Promise<readonly R[]> } | undefined;
  return async (item) => {
    if (!waiting) {
      const items: T[] = [];
      const begin = async () => {
        if (before) await before();
        if (waiting?.items === items) waiting = undefined;
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
