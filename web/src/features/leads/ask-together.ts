/** Leads that one request names at most. */
const AT_ONCE = 100;

type Asked<Value> = { id: string; take: (value: Value | null) => void; fail: (error: unknown) => void };

/**
 * Asks about many leads of a list with few requests: all that are wanted in one moment go together.
 * What it returns tells one lead's value, or null where the answer has none.
 */
export function askTogether<Value extends { id: string }>(
  load: (listId: string, ids: string) => Promise<readonly Value[]>,
): (listId: string, id: string) => Promise<Value | null> {
  /** Those that wait for the next request, by list. */
  const waiting = new Map<string, Asked<Value>[]>();
  const settle = async (listId: string, asked: readonly Asked<Value>[]): Promise<void> => {
    try {
      const values = await load(listId, [...new Set(asked.map(({ id }) => id))].join());
      const byId = new Map(values.map((one) => [one.id, one]));
      for (const { id, take } of asked) take(byId.get(id) ?? null);
    } catch (error) {
      for (const { fail } of asked) fail(error);
    }
  };
  return (listId, id) =>
    new Promise((take, fail) => {
      const others = waiting.get(listId);
      if (others) {
        others.push({ id, take, fail });
        return;
      }
      waiting.set(listId, [{ id, take, fail }]);
      setTimeout(() => {
        const all = waiting.get(listId) ?? [];
        waiting.delete(listId);
        for (let from = 0; from < all.length; from += AT_ONCE) void settle(listId, all.slice(from, from + AT_ONCE));
      });
    });
}
