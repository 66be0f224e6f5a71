/** The lines that a sweep is upon, from south to north, by their numbers. */
export type Status = {
  /** Where a line stands or belongs. `side`: above zero where it lies north of another, zero where that is the line itself. */
  find(side: (other: number) => number): number;
  insert(place: number, id: number): void;
  remove(place: number): void;
  /** The line at a place; -1 beyond either end. */
  at(place: number): number;
};

/** Numbers that lie side by side move faster than any tree is walked, up to some ten thousand of them. */
export function createStatus(most: number): Status {
  const ids = new Int32Array(most);
  let size = 0;
  return {
    find(side) {
      let [low, high] = [0, size];
      while (low < high) {
        const middle = (low + high) >>> 1;
        const where = side(ids[middle] ?? -1);
        if (where === 0) return middle;
        if (where > 0) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    insert(place, id) {
      ids.copyWithin(place + 1, place, size);
      ids[place] = id;
      size += 1;
    },
    remove(place) {
      ids.copyWithin(place, place + 1, size);
      size -= 1;
    },
    at: (place) => (place >= 0 && place < size ? (ids[place] ?? -1) : -1),
  };
}
