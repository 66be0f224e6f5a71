import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod/mini';
import { duplicateListEndpoint, type LeadList, ListRow, readList } from '#contract/work/lists.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { dataError } from '#web/lib/backend/api-error.ts';
import { isLive } from '#web/lib/backend/live.ts';
import { readRows } from '#web/lib/backend/read-rows.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';

/** How often lists are read while one of them is being worked on and changes are not told, in ms. Hidden tabs pause. */
const FOLLOW_MS = 1000;

/** The data API answers at most this many rows at once. */
const PAGE_ROWS = 1000;

export const listKeys = { all: ['lists'] as const };

const Rows = z.array(ListRow);

/** Reads all lists, newest first, page by page. */
async function allRows(): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (;;) {
    const part = { offset: `${rows.length}`, limit: `${PAGE_ROWS}` };
    const page = await readRows('lists', { select: '*', order: 'created_at.desc,id.asc', ...part });
    rows.push(...page);
    if (page.length < PAGE_ROWS) return rows;
  }
}

/** All of the user's lists, newest first. Followed while one is processing, or while `following`. */
export const listsQuery = (following: boolean) =>
  queryOptions({
    queryKey: listKeys.all,
    queryFn: async (): Promise<LeadList[]> => {
      const rows = await allRows();
      return Rows.parse(rows).map((row) => readList(row));
    },
    refetchInterval: (query) =>
      !isLive() && (following || query.state.data?.some((list) => list.status === 'processing') === true)
        ? FOLLOW_MS
        : false,
  });

type Change = { name: string; updated_at: string } | { lifecycle_status: string; archived_at: string | null };

async function patchList(id: string, change: Change): Promise<void> {
  const supabase = await getSupabase();
  const { data, error } = await supabase.from('lists').update(change).eq('id', id).select('id');
  if (error) throw dataError(error);
  // Row-level security answers a list that is gone with no rows, not with an error.
  if (data.length === 0) throw new Error('This list no longer exists.');
}

/** `name` is trimmed and not empty. */
export const renameList = (id: string, name: string): Promise<void> =>
  patchList(id, { name, updated_at: new Date().toISOString() });

export const archiveList = (id: string): Promise<void> =>
  patchList(id, { lifecycle_status: 'archived', archived_at: new Date().toISOString() });

export const restoreList = (id: string): Promise<void> =>
  patchList(id, { lifecycle_status: 'active', archived_at: null });

export async function deleteList(id: string): Promise<void> {
  const supabase = await getSupabase();
  const { error } = await supabase.from('lists').delete().eq('id', id);
  if (error) throw dataError(error);
}

/** Returns the copy's id and name. */
export const copyList = (id: string) => callApi(duplicateListEndpoint, { body: { list_id: id } });
