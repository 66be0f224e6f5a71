import { useMutation } from '@tanstack/react-query';
import type { BodyOf } from '#contract/endpoint.ts';
import type { ChosenLeads, LeadChoice } from '#contract/work/lead-choice.ts';
import { copyLeadsEndpoint, deleteLeadsEndpoint } from '#contract/work/move-leads.ts';
import { callApi } from '#web/lib/backend/api-client.ts';

/** Where leads are copied to, and whether they leave their list. */
export type Copying = Pick<BodyOf<typeof copyLeadsEndpoint>, 'to' | 'remove' | 'archive' | 'count' | 'digest'>;

export const useCopyLeads = (listId: string, choice: LeadChoice) =>
  useMutation({
    mutationFn: (copying: Copying) =>
      callApi(copyLeadsEndpoint, { query: { listId }, body: { ...choice, ...copying } }),
  });

export const useDeleteLeads = (listId: string, { choice, count, digest }: ChosenLeads) =>
  useMutation({
    mutationFn: () => callApi(deleteLeadsEndpoint, { query: { listId }, body: { ...choice, count, digest } }),
  });
