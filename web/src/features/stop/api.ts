import { queryOptions, useMutation } from '@tanstack/react-query';
import { askToStopEndpoint, confirmStopEndpoint, readStopPageEndpoint } from '#contract/calling/stop-page.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { callApi } from '#web/lib/backend/api-client.ts';

export const stopPageQuery = queryOptions({
  queryKey: ['stop'],
  queryFn: ({ signal }) => callApi(readStopPageEndpoint, { signal }),
});

export const useAskToStop = () =>
  useMutation({ mutationFn: (body: BodyOf<typeof askToStopEndpoint>) => callApi(askToStopEndpoint, { body }) });

export const useConfirmStop = () =>
  useMutation({ mutationFn: (body: BodyOf<typeof confirmStopEndpoint>) => callApi(confirmStopEndpoint, { body }) });
