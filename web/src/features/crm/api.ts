import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  addRequiredTagsEndpoint,
  CRM_TAGS_PAGE_SIZE,
  type CrmTag,
  crmCredentialsStatusEndpoint,
  crmStatusEndpoint,
  crmUserAccessEndpoint,
  deleteRequiredTagEndpoint,
  disconnectCrmEndpoint,
  listCrmTagsEndpoint,
  listRequiredTagsEndpoint,
  saveCrmCredentialsEndpoint,
  startCrmOauthEndpoint,
} from '#contract/admin/crm.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { crmErrorText } from './crm-messages.ts';

const KEY = ['admin', 'crm'] as const;

/** Whether the CRM's application is known, and when it was saved. */
export const credentialsQuery = queryOptions({
  queryKey: [...KEY, 'credentials'],
  queryFn: ({ signal }) => callApi(crmCredentialsStatusEndpoint, { signal }),
});

export const connectionQuery = queryOptions({
  queryKey: [...KEY, 'connection'],
  queryFn: ({ signal }) => callApi(crmStatusEndpoint, { signal }),
});

export const requiredTagsQuery = queryOptions({
  queryKey: [...KEY, 'required-tags'],
  queryFn: async ({ signal }) => (await callApi(listRequiredTagsEndpoint, { signal })).items,
});

/** All tags of the CRM, each once, page by page. A failure is only logged (spec section 8); the card offers another try. */
export const allTagsQuery = queryOptions({
  queryKey: [...KEY, 'tags'],
  queryFn: async ({ signal }) => {
    try {
      return await readAllTags(signal);
    } catch (error) {
      if (!signal.aborted) console.warn('The tags could not be loaded:', crmErrorText(error));
      throw error;
    }
  },
  staleTime: 300_000,
});

async function readAllTags(signal: AbortSignal): Promise<CrmTag[]> {
  const tags = new Map<string, CrmTag>();
  for (let offset = 0; ; offset += CRM_TAGS_PAGE_SIZE) {
    const { items } = await callApi(listCrmTagsEndpoint, { query: { offset, limit: CRM_TAGS_PAGE_SIZE }, signal });
    const before = tags.size;
    for (const tag of items) tags.set(tag.tag_id, tag);
    // A full page without news is a service that does not page: asking on would never end.
    if (items.length < CRM_TAGS_PAGE_SIZE || tags.size === before) return [...tags.values()];
  }
}

/** What the CRM says of one address now: asked again each time. */
export const accessQuery = (email: string) =>
  queryOptions({
    queryKey: [...KEY, 'access', email],
    queryFn: ({ signal }) => callApi(crmUserAccessEndpoint, { query: { email }, signal }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });

export function useSaveCredentials() {
  const queries = useQueryClient();
  const readAgain = (query: { queryKey: readonly string[] }) => void queries.invalidateQueries(query);
  return useMutation({
    mutationFn: (body: { client_id: string; client_secret: string }) => callApi(saveCrmCredentialsEndpoint, { body }),
    // Other credentials end the connection.
    onSettled: () => {
      readAgain({ queryKey: credentialsQuery.queryKey });
      readAgain({ queryKey: connectionQuery.queryKey });
    },
  });
}

/**
 * Returns the address where the browser grants access.
 * @throws Error with words to show.
 */
export function useStartOauth() {
  return useMutation({
    mutationFn: async () => {
      const { authorize_url: url } = await callApi(startCrmOauthEndpoint);
      // A page's address and nothing else, such as a script.
      if (!url || !/^https?:/i.test(url)) throw new Error('Missing authorize URL');
      return url;
    },
  });
}

export function useDisconnect() {
  const queries = useQueryClient();
  return useMutation({
    // A page of tags that comes after the end of the connection would be a failure.
    onMutate: () => queries.cancelQueries({ queryKey: allTagsQuery.queryKey }),
    mutationFn: () => callApi(disconnectCrmEndpoint),
    // Its answer is the connection as it is now; without one there are no tags to read again.
    onSuccess: (connection) => queries.setQueryData(connectionQuery.queryKey, connection),
  });
}

export function useAddTags() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (tags: CrmTag[]) => callApi(addRequiredTagsEndpoint, { body: { tags } }),
    onSuccess: ({ items }) => {
      queries.setQueryData(requiredTagsQuery.queryKey, items);
      // It names those of the account before.
      void queries.invalidateQueries({ queryKey: connectionQuery.queryKey });
    },
  });
}

export function useRemoveTag() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (tagId: string) => callApi(deleteRequiredTagEndpoint, { query: { tag_id: tagId } }),
    onSuccess: ({ items }) => {
      queries.setQueryData(requiredTagsQuery.queryKey, items);
      // It names those of the account before.
      void queries.invalidateQueries({ queryKey: connectionQuery.queryKey });
    },
  });
}
