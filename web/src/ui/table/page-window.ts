/** At most this many page links at once (spec section 9). */
const PAGE_LINKS = 5;

/** The page numbers to offer, from 1, at most `links` of them, with the current one as near the middle as the ends allow. */
export function pageWindow(page: number, pageCount: number, links: number = PAGE_LINKS): number[] {
  const size = Math.min(links, Math.max(0, pageCount));
  const last = Math.max(1, pageCount - size + 1);
  const first = Math.min(Math.max(1, page - Math.floor(links / 2)), last);
  return Array.from({ length: size }, (_, index) => first + index);
}

/** The first and last item of a page, counted from 1; 0 and 0 of nothing. */
export function pageRange(page: number, pageSize: number, total: number): { from: number; to: number } {
  if (total === 0) return { from: 0, to: 0 };
  return { from: (page - 1) * pageSize + 1, to: Math.min(page * pageSize, total) };
}
