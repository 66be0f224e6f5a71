import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { CRM_TAGS_PAGE_SIZE, type CrmTag, listCrmTagsEndpoint } from '#contract/admin/crm.ts';
import {
  decideStopRequestEndpoint,
  eraseContactEndpoint,
  pullCrmEndpoint,
  type SuppressionSources,
  saveSuppressionSettingsEndpoint,
  suppressionSourcesEndpoint,
} from '#contract/calling/suppression-sources.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { callApi } from '#web/lib/backend/api-client.ts';

const KEY = ['admin', 'suppressions'] as const;
/** While a pull is under way, or waits. */
const FOLLOWED_EVERY_MS = 2_000;

export const sourcesQuery = queryOptions({
  queryKey: [...KEY],
  queryFn: ({ signal }) => callApi(suppressionSourcesEndpoint, { signal }),
  refetchInterval: ({ state }) => (isUnderWay(state.data) ? FOLLOWED_EVERY_MS : false),
});

const isUnderWay = (sources: SuppressionSources | undefined): boolean =>
  sources?.pull.state === 'running' || sources?.pull.state === 'waiting';

/** All tags of Keap, page by page. */
export const tagsQuery = queryOptions({
  queryKey: [...KEY, 'tags'],
  queryFn: async ({ signal }) => {
    const tags = new Map<string, CrmTag>();
    for (let offset = 0; ; offset += CRM_TAGS_PAGE_SIZE) {
      const { items } = await callApi(listCrmTagsEndpoint, { query: { offset, limit: CRM_TAGS_PAGE_SIZE }, signal });
      const before = tags.size;
      for (const tag of items) tags.set(tag.tag_id, tag);
      // A full page without news is a service that does not page: asking on would never end.
      if (items.length < CRM_TAGS_PAGE_SIZE || tags.size === before) return [...tags.values()];
    }
  },
  staleTime: 300_000,
  retry: false,
});

/** What changes here shows on other pages too. */
function useReadAgain() {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries();
}

export function useSaveSettings() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof saveSuppressionSettingsEndpoint>) =>
      callApi(saveSuppressionSettingsEndpoint, { body }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY, exact: true }),
  });
}

export function usePull() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(pullCrmEndpoint),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY, exact: true }),
  });
}

export function useDecideRequest() {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: ({ id, suppress }: { id: string; suppress: boolean }) =>
      callApi(decideStopRequestEndpoint, { query: { id }, body: { suppress } }),
    onSettled: readAgain,
  });
}

export function useEraseContact() {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: (body: BodyOf<typeof eraseContactEndpoint>) => callApi(eraseContactEndpoint, { body }),
    onSettled: readAgain,
  });
}
