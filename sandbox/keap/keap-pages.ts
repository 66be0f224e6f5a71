/** Fewer than a page may have, so that clients which read one page only are found out. */
const PER_PAGE = 250;

/** A page of what there is; undefined for a size or token that is out of range. `next` is empty on the last. */
export function pageOf<T>(all: readonly T[], query: URLSearchParams): { items: T[]; next: string } | undefined {
  const start = Number(query.get('page_token') ?? 0);
  const size = Math.min(Number(query.get('page_size') ?? PER_PAGE), PER_PAGE);
  if (!(Number.isInteger(start) && start >= 0 && Number.isInteger(size) && size >= 0)) return undefined;
  const end = start + size;
  return { items: all.slice(start, end), next: end < all.length ? String(end) : '' };
}
