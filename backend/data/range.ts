import { badRange } from './errors/data-error.ts';

/** As hosted: no answer holds more rows. */
export const MAX_ROWS = 1_000;

/** Which rows of the ordered result to answer. */
export type Page = { limit: number; offset: number };

/**
 * The rows that both `limit`/`offset` and the `Range` header (`0-24`, `25-`) allow, at most MAX_ROWS.
 * @throws DataError PGRST103 for a range that ends before it begins
 */
export function pageOf(query: { limit?: number; offset: number }, range: string | undefined): Page {
  let first = query.offset;
  let end = first + (query.limit ?? Number.POSITIVE_INFINITY);
  const bounds = /^(?:items=)?(\d{1,15})-(\d{1,15})?$/u.exec(range?.trim() ?? '');
  if (bounds) {
    const from = Number(bounds[1]);
    const to = bounds[2] === undefined ? Number.POSITIVE_INFINITY : Number(bounds[2]);
    if (to < from) throw badRange('The lower boundary must be lower than or equal to the upper boundary.');
    first = Math.max(first, from);
    end = Math.min(end, to + 1);
  }
  return { offset: first, limit: Math.max(0, Math.min(end - first, MAX_ROWS)) };
}

/** `0-24/100`, with `*` for no rows and for an unknown total. */
export function contentRange(offset: number, rows: number, total: number | undefined): string {
  return `${rows === 0 ? '*' : `${offset}-${offset + rows - 1}`}/${total ?? '*'}`;
}
