/** From so many rows on. */
const LEAST = 10_000;

/** Returns what to call after each part of large work, with its rows: `work` runs when these have doubled since it last did. */
export function whenDoubled(work: () => Promise<void>): (rows: number) => Promise<void> {
  let [rows, next] = [0, LEAST];
  return async (more) => {
    rows += more;
    if (rows < next) return;
    next = 2 * rows;
    await work();
  };
}
