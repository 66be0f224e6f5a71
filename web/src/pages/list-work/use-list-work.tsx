import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { LeadList } from '#contract/lists.ts';
import type { ProviderId } from '#contract/providers.ts';
import type { Run } from '#contract/runs.ts';
import type { SearchForm } from '#contract/search.ts';
import type { EnrichmentChoice, ShownBounds } from '#web/features/enrichment/enrichment-options.ts';
import { listKeys } from '#web/features/lists/api.ts';
import { useChangeList } from '#web/features/lists/use-change-list.ts';
import { useDuplicateList } from '#web/features/lists/use-duplicate-list.ts';
import { keyOf, useProviderKeys } from '#web/features/provider-keys/api.ts';
import { ApiKeyDialog } from '#web/features/provider-keys/api-key-dialog.tsx';
import { failureOf } from '#web/features/runs/run-words.ts';
import { createList, formOf } from '#web/features/search/api.ts';
import { ApiError, errorMessage } from '#web/lib/api-error.ts';
import { API_PROVIDERS } from '#web/lib/api-providers.tsx';
import { rememberReturnTo } from '#web/lib/return-to.ts';
import { useOnBack } from '#web/lib/use-on-back.ts';
import { toast } from '#web/ui/toast.ts';
import { PROVIDER_OF } from './job.ts';
import { ListDialogs, type OpenDialog, type WorkAgain } from './list-dialogs.tsx';
import { useJobs, useRefusals } from './use-jobs.ts';

export type ListWork = ReturnType<typeof useListWork>;

/**
 * Everything that can be done with lists, for the pages that show them: actions that open dialogs, and the dialogs.
 * `lists` are the current ones, `newestRun` answers the newest run of a list.
 */
export function useListWork({
  lists,
  newestRun,
  onDeleted,
}: {
  lists: readonly LeadList[];
  newestRun: (listId: string) => Run | undefined;
  onDeleted?: (list: LeadList) => void;
}) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();
  const keys = useProviderKeys();
  const refusals = useRefusals();
  const changes = useChangeList();
  const duplicate = useDuplicateList();
  const [dialog, setDialog] = useState<OpenDialog>();
  const [connecting, setConnecting] = useState<ProviderId>();
  const mounted = useMounted();
  // Only the search dialog: its link is an entry of the history. Others may open just as Back leaves the panel of a run.
  useOnBack(() => setDialog((open) => (open?.kind === 'search' ? undefined : open)));

  // A toast outlives the page: its button then leads to where keys are kept.
  const jobs = useJobs((provider) => (mounted.current ? setConnecting(provider) : void navigate(API_PROVIDERS.path)));
  const isConnected = (provider: ProviderId) =>
    keys.data ? keyOf(keys.data, provider)?.isConnected === true : undefined;
  const failure = (list: LeadList) =>
    failureOf(list, newestRun(list.id), refusals[list.id], (kind) => isConnected(PROVIDER_OF[kind]));

  const startSearch = async (form: SearchForm, boundMicros: number | undefined): Promise<boolean> => {
    try {
      const list = await createList(form);
      // The live stream may have told of it before the answer came.
      queries.setQueryData<LeadList[]>(listKeys.all, (known = []) => [
        list,
        ...known.filter(({ id }) => id !== list.id),
      ]);
      void jobs.start({ kind: 'search', listId: list.id, form, boundMicros });
      return true;
    } catch (error) {
      toast.error('The list could not be created', errorMessage(error));
      if (error instanceof ApiError && error.kind === 'unauthenticated') {
        rememberReturnTo(`${location.pathname}${location.search}`);
        void navigate('/login');
      }
      return false;
    }
  };
  // Both are asked for at once, so that closing the page loses neither: the server queues the second behind the first.
  const startEnrichment = async (
    { id: listId }: LeadList,
    choice: EnrichmentChoice,
    shown: ShownBounds,
  ): Promise<void> => {
    await Promise.all([
      choice.emails && jobs.start({ kind: 'enrichment', listId, boundMicros: shown.emails }),
      choice.compliance && jobs.start({ kind: 'compliance', listId, boundMicros: shown.compliance }),
    ]);
  };
  const startCheck = ({ id: listId }: LeadList, leadIds: string[] | undefined, boundMicros: number | undefined) =>
    jobs.start({ kind: 'compliance', listId, boundMicros, ...(leadIds ? { leadIds } : {}) });
  const retry = async (
    list: LeadList,
    { kind, leadIds }: WorkAgain,
    boundMicros: number | undefined,
  ): Promise<void> => {
    if (kind === 'compliance') await startCheck(list, leadIds, boundMicros);
    else if (kind === 'enrichment') await jobs.start({ kind, listId: list.id, boundMicros });
    else await jobs.start({ kind, listId: list.id, form: formOf(list.searchParams), boundMicros });
  };

  return {
    keys,
    isConnected,
    failure,
    newestRun: (list: LeadList) => newestRun(list.id),
    /** Does the work of a run that has not finished again, without what is known. */
    finish: (list: LeadList, of: WorkAgain) => setDialog({ kind: 'retry', list, of: { ...of, finish: true } }),
    connectKey: setConnecting,
    newSearch: (defaults?: SearchForm) => setDialog({ kind: 'search', defaults }),
    checkSelected: (list: LeadList, leadIds: string[]) => setDialog({ kind: 'compliance', list, leadIds }),
    exportSelected: (list: LeadList, leadIds: string[]) => setDialog({ kind: 'export', list, leadIds }),
    handlers: {
      onEnrich: (list: LeadList) => setDialog({ kind: 'enrich', list }),
      onCheckCompliance: (list: LeadList) => setDialog({ kind: 'compliance', list, leadIds: undefined }),
      onRetry: (list: LeadList) => setDialog({ kind: 'retry', list, of: undefined }),
      onExport: (list: LeadList) => setDialog({ kind: 'export', list, leadIds: undefined }),
      onRename: (list: LeadList) => setDialog({ kind: 'rename', list }),
      onDuplicate: duplicate,
      onArchive: (list: LeadList) => void changes.archive(list),
      onRestore: (list: LeadList) => void changes.restore(list),
      onDelete: (list: LeadList) => setDialog({ kind: 'delete', list }),
    },
    dialogs: (
      <>
        <ListDialogs
          dialog={dialog}
          lists={lists}
          isConnected={isConnected}
          failure={failure}
          changes={changes}
          onConnect={setConnecting}
          onSearch={startSearch}
          onNewSearch={(defaults) => setDialog({ kind: 'search', defaults })}
          onEnrich={startEnrichment}
          onCheck={startCheck}
          onRetry={retry}
          onDeleted={onDeleted}
          onClose={() => setDialog(undefined)}
        />
        {connecting ? (
          <ApiKeyDialog
            provider={connecting}
            current={keyOf(keys.data, connecting)}
            open
            onOpenChange={(open) => (open ? undefined : setConnecting(undefined))}
          />
        ) : null}
      </>
    ),
  };
}

function useMounted(): { readonly current: boolean } {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return mounted;
}
