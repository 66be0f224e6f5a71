import type { Session } from '@supabase/supabase-js';
import { queryOptions, skipToken, useMutation, useQueryClient } from '@tanstack/react-query';
import { quoteOf, type Shown } from '#contract/money/budgets.ts';
import { type LeadList, ListRow, readList, type SearchParams } from '#contract/work/lists.ts';
import { ALL_RESULTS, type AreaSearch } from '#contract/work/search/areas.ts';
import {
  countSearchEndpoint,
  DEFAULT_RADIUS_MILES,
  listName,
  lookUpPlaceEndpoint,
  milesToMeters,
  readMaxResults,
  SearchForm,
  searchLeadsEndpoint,
  typesOf,
} from '#contract/work/search/search.ts';
import { searchOpenEndpoint } from '#contract/work/search/search-open.ts';
import { searchAreaEndpoint } from '#contract/work/search/surveys.ts';
import { callApi, callPaidApi, settleSession } from '#web/lib/backend/api-client.ts';
import { ApiError, dataError, errorMessage } from '#web/lib/backend/api-error.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';

const notAuthenticated = () => new ApiError('Not authenticated', { kind: 'unauthenticated', code: 'UNAUTHENTICATED' });

async function currentSession(): Promise<Session> {
  const supabase = await getSupabase();
  const { data } = await supabase.auth.getSession();
  if (data.session) return data.session;
  throw notAuthenticated();
}

/** The most letters of a search that a list keeps. */
const MOST_KEPT = 3_000;

/** What a list keeps of its search. A search of open data alone is not repeated, so a shape that is too long for it may go. */
const keptOf = ({ area, ...form }: SearchForm): SearchForm =>
  area && (form.source !== 'open' || JSON.stringify(area).length <= MOST_KEPT) ? { ...form, area } : form;

/**
 * Adds the list that a search will fill, as processing.
 * @throws ApiError `unauthenticated` when the session has ended.
 */
export async function createList(form: SearchForm): Promise<LeadList> {
  const { user } = await currentSession();
  const supabase = await getSupabase();
  const { data, error, status } = await supabase
    .from('lists')
    .insert({ user_id: user.id, name: listName(form), search_params: keptOf(form), status: 'processing' })
    .select()
    .single();
  if (status === 401) {
    await settleSession();
    throw notAuthenticated();
  }
  if (error) throw dataError(error);
  return readList(ListRow.parse(data));
}

/** Whether a form's choice of results means every business of an area. */
export const isAll = (maxResults: unknown): boolean => maxResults === ALL_RESULTS;

/** A list's search as the form had it, with the form's defaults for what is missing. */
export const formOf = (params: SearchParams): SearchForm => ({
  businessType: params.businessType ?? '',
  location: params.location ?? '',
  radius: String(params.radius ?? DEFAULT_RADIUS_MILES),
  maxResults: isAll(params.maxResults) ? ALL_RESULTS : String(readMaxResults(String(params.maxResults ?? ''))),
  ...(params.onlyNew ? { onlyNew: true } : {}),
  ...(params.area ? { area: params.area } : {}),
  ...(params.source ? { source: params.source } : {}),
  ...(params.nextDay ? { nextDay: true } : {}),
});

/** Whether a list's search can be repeated by a run, which a search of open data alone is not. Others: lists that were not made by a search of ours may not say what for, or where. */
export const isSearchable = (params: SearchParams): boolean =>
  params.source !== 'open' && SearchForm.safeParse(formOf(params)).success;

/** A search as the product API takes it. Radius in meters. */
export type SearchRequest = {
  query: string;
  location: string;
  radius: number;
  maxResults: number;
  onlyNew?: boolean | undefined;
  source?: 'open_first' | undefined;
};

/** A search of open data alone, which needs no key and no run. */
export type OpenSearch = Omit<AreaSearch, 'source'> & { source: 'open' };

/** What a list that was searched in open data alone was searched for; undefined where it does not say so. */
export function openSearchOf(params: SearchParams): OpenSearch | undefined {
  const form = formOf(params);
  return form.source === 'open' && SearchForm.safeParse(form).success ? openRequestOf(form) : undefined;
}

const radiusOf = ({ radius }: SearchForm): number =>
  milesToMeters(Number.parseFloat(radius) || Number(DEFAULT_RADIUS_MILES));

/** A form as the product API takes it. */
export const requestOf = (form: SearchForm): SearchRequest | AreaSearch =>
  isAll(form.maxResults) ? areaRequestOf(form) : placesRequestOf(form);

/** The same for where the form wants to look. */
export const searchOf = (form: SearchForm): SearchRequest | AreaSearch | OpenSearch => {
  return form.source === 'open' ? openRequestOf(form) : requestOf(form);
};

function openRequestOf(form: SearchForm): OpenSearch {
  const { source: _source, ...area } = areaRequestOf(form);
  return { ...area, source: 'open' };
}

export const placesRequestOf = (form: SearchForm): SearchRequest => ({
  query: form.businessType,
  location: form.location,
  radius: radiusOf(form),
  maxResults: readMaxResults(form.maxResults),
  ...(form.onlyNew ? { onlyNew: true } : {}),
  ...(form.source === 'open_first' ? { source: form.source } : {}),
});

export const areaRequestOf = (form: SearchForm): AreaSearch => ({
  maxResults: ALL_RESULTS,
  queries: typesOf(form.businessType),
  area: form.area ?? { kind: 'circle' },
  ...(!form.area || form.area.kind === 'circle' ? { location: form.location, radius: radiusOf(form) } : {}),
  ...(form.onlyNew ? { onlyNew: true } : {}),
  ...(form.source === 'open_first' ? { source: form.source } : {}),
  ...(form.nextDay ? { nextDay: true } : {}),
});

/** All that is counted before a search is paid for. */
export const COUNTS_KEY = ['search-count'];

/** How many places a search would find, and what it costs at most. Nothing is asked without a search. */
export const searchCountQuery = (search: SearchRequest | undefined) =>
  queryOptions({
    queryKey: [...COUNTS_KEY, search],
    queryFn: search ? ({ signal }) => callApi(countSearchEndpoint, { body: search, signal }) : skipToken,
    gcTime: 0,
  });

/** Has a location found out, which is paid for unless it is known, and counts again what is shown. */
export function useLookUp({ onFound }: { onFound?: () => void } = {}) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ location, sandbox }: { location: string; sandbox: boolean | undefined }) =>
      callApi(lookUpPlaceEndpoint, { body: { location, ...quoteOf({ sandbox }) } }),
    onSuccess: () => onFound?.(),
    onSettled: () => queries.invalidateQueries({ queryKey: COUNTS_KEY }),
  });
}

/** Fills a list. Returns how many leads it has when the search has ended; the server searches on if no one waits. */
export async function requestSearch(
  listId: string,
  search: SearchRequest,
  shown: Shown = {},
): Promise<{ leads: number; run: string | undefined }> {
  const { data, run } = await callPaidApi(searchLeadsEndpoint, {
    body: { ...search, list_id: listId, ...quoteOf(shown) },
  });
  return { leads: (data.leadsWithPhones ?? data.leads ?? []).length, run };
}

/** Has a list filled with every business of an area. Resolves once the search has begun. */
export async function requestAreaSearch(listId: string, search: AreaSearch, shown: Shown = {}): Promise<void> {
  await callApi(searchAreaEndpoint, { body: { ...search, list_id: listId, ...quoteOf(shown) } });
}

/** Fills a list from open data, at once. */
export const requestOpenSearch = (listId: string, search: OpenSearch) =>
  callApi(searchOpenEndpoint, { body: { ...search, list_id: listId } });

/** What the toast of a failed search says: the server's words, or those of spec section 8. */
export function searchErrorText(error: unknown): string {
  if (!(error instanceof ApiError)) return errorMessage(error);
  if (error.kind === 'http') return error.serverMessage ?? `Search failed with HTTP ${error.status}`;
  return error.message;
}

/** Name of what is kept of the New Search form when a session ends. */
export const SEARCH_DRAFT = 'search';
