import { dataError } from '#web/lib/backend/api-error.ts';

/** The data API answers at most this many rows at once. */
const PAGE_ROWS = 1000;

type Page = { data: unknown[] | null; error: { message: string } | null };

/** Reads a result of the data API page by page. `readPage` asks for rows `from` to `to`, both included, in a fixed order. */
export async function allRows(readPage: (from: number, to: number) => PromiseLike<Page>): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (;;) {
    const { data, error } = await readPage(rows.length, rows.length + PAGE_ROWS - 1);
    if (error) throw dataError(error);
    rows.push(...(data ?? []));
    if (!data || data.length < PAGE_ROWS) return rows;
  }
}
