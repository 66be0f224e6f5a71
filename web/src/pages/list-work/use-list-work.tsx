import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { LeadList } from '#contract/lists.ts';
import type { ProviderId } from '#contract/providers.ts';
import type { Run } from '#contract/runs.ts';
import type { SearchForm } from '#contract/search.ts';
import { CheckComplianceDialog } from '#web/features/compliance/check-dialog.tsx';
import { EnrichDialog } from '#web/features/enrichment/enrich-dialog.tsx';
import type { EnrichmentChoice } from '#web/features/enrichment/enrichment-options.ts';
import { ExportDialog } from '#web/features/export/export-dialog.tsx';
import { leadsQuery } from '#web/features/leads/api.ts';
import { listKeys } from '#web/features/lists/api.ts';
import { DeleteDialog } from '#web/features/lists/delete-dialog.tsx';
import { RenameDialog } from '#web/features/lists/rename-dialog.tsx';
import { useChangeList } from '#web/features/lists/use-change-list.ts';
import { keyOf, useProviderKeys } from '#web/features/provider-keys/api.ts';
import { ApiKeyDialog } from '#web/features/provider-keys/api-key-dialog.tsx';
import { failureOf } from '#web/features/runs/run-words.ts';
import { createList, formOf } from '#web/features/search/api.ts';
import { NewSearchDialog } from '#web/features/search/new-search-dialog.tsx';
import { ApiError, errorMessage } from '#web/lib/api-error.ts';
import { rememberReturnTo } from '#web/lib/return-to.ts';
import { toast } from '#web/ui/toast.ts';
import { PROVIDER_OF, takenOn } from './job.ts';
import { RetryDialog } from './retry-dialog.tsx';
import { useJobs, useRefusals } from './use-jobs.ts';

type OpenDialog =
  | { kind: 'search'; defaults: SearchForm | undefined }
  | { kind: 'enrich' | 'retry' | 'rename' | 'delete'; list: LeadList }
  | { kind: 'compliance' | 'export'; list: LeadList; leadIds: string[] | undefined };

/**
 * Everything that can be done with lists, for the pages that show them: actions that open the dialogs, and the dialogs.
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
  const [dialog, setDialog] = useState<OpenDialog>();
  const [connecting, setConnecting] = useState<ProviderId>();
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  // A toast outlives the page: its button then leads to where keys are kept.
  const connectKey = (provider: ProviderId) => (mounted.current ? setConnecting(provider) : void navigate('/settings'));
  const jobs = useJobs(connectKey);
  const isConnected = (provider: ProviderId) =>
    keys.data ? keyOf(keys.data, provider)?.isConnected === true : undefined;
  const failure = (list: LeadList) =>
    failureOf(list, newestRun(list.id), refusals[list.id], (kind) => isConnected(PROVIDER_OF[kind]));
  const close = () => setDialog(undefined);

  const startSearch = async (form: SearchForm): Promise<boolean> => {
    try {
      const list = await createList(form);
      queries.setQueryData<LeadList[]>(listKeys.all, (known) => [list, ...(known ?? [])]);
      void jobs.start({ kind: 'search', listId: list.id, form });
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
  const startEnrichment = async ({ id: listId }: LeadList, choice: EnrichmentChoice): Promise<void> => {
    if (choice.emails) {
      const outcome = jobs.start({ kind: 'enrichment', listId });
      if (!choice.compliance || !(await takenOn(listId, 'enrichment', outcome))) return;
    }
    await jobs.start({ kind: 'compliance', listId });
  };
  const retry = async (list: LeadList): Promise<void> => {
    const { kind } = failure(list);
    const listId = list.id;
    await jobs.start(kind === 'search' ? { kind, listId, form: formOf(list.searchParams) } : { kind, listId });
  };

  const exported = dialog?.kind === 'export' ? dialog : undefined;
  const exportLeads = useQuery({ ...leadsQuery(exported?.list.id ?? ''), enabled: exported !== undefined });
  const current = (list: LeadList) => lists.find(({ id }) => id === list.id) ?? list;

  const renderDialog = () => {
    switch (dialog?.kind) {
      case undefined:
        return null;
      case 'search':
        return (
          <NewSearchDialog
            defaults={dialog.defaults}
            providerMissing={isConnected('google_places') === false}
            onConnectProvider={() => setConnecting('google_places')}
            onStart={startSearch}
            onClose={close}
          />
        );
      case 'enrich':
        return (
          <EnrichDialog
            list={current(dialog.list)}
            isConnected={isConnected}
            onConnectProvider={setConnecting}
            onStart={(choice) => {
              close();
              void startEnrichment(dialog.list, choice);
            }}
            onClose={close}
          />
        );
      case 'compliance': {
        const list = current(dialog.list);
        const { leadIds } = dialog;
        return (
          <CheckComplianceDialog
            list={list}
            count={leadIds?.length ?? list.leadCount}
            selected={leadIds !== undefined}
            providerMissing={isConnected('searchbug') === false}
            onConnectProvider={() => setConnecting('searchbug')}
            onStart={() => {
              close();
              void jobs.start({ kind: 'compliance', listId: list.id, ...(leadIds ? { leadIds } : {}) });
            }}
            onClose={close}
          />
        );
      }
      case 'retry': {
        const list = current(dialog.list);
        const { kind } = failure(list);
        return (
          <RetryDialog
            list={list}
            kind={kind}
            keyMissing={isConnected(PROVIDER_OF[kind]) === false}
            onConnectKey={() => setConnecting(PROVIDER_OF[kind])}
            onRetry={() => {
              close();
              void retry(list);
            }}
            onClose={close}
          />
        );
      }
      case 'export':
        return (
          <ExportDialog
            list={current(dialog.list)}
            leads={exportLeads.data}
            selectedIds={dialog.leadIds ? new Set(dialog.leadIds) : undefined}
            failed={exportLeads.isError}
            onRetry={() => void exportLeads.refetch()}
            onClose={close}
          />
        );
      case 'rename':
        return (
          <RenameDialog
            list={dialog.list}
            pending={changes.pending}
            onRename={(name) => {
              const save = async () => (await changes.rename(dialog.list, name)) && close();
              void save();
            }}
            onClose={close}
          />
        );
      case 'delete':
        return (
          <DeleteDialog
            list={dialog.list}
            pending={changes.pending}
            onDelete={() => {
              const remove = async () => {
                const removed = await changes.remove(dialog.list);
                close();
                if (removed) onDeleted?.(dialog.list);
              };
              void remove();
            }}
            onClose={close}
          />
        );
    }
  };

  return {
    keys,
    isConnected,
    failure,
    connectKey: setConnecting,
    newSearch: (defaults?: SearchForm) => setDialog({ kind: 'search', defaults }),
    handlers: {
      onEnrich: (list: LeadList) => setDialog({ kind: 'enrich', list }),
      onCheckCompliance: (list: LeadList) => setDialog({ kind: 'compliance', list, leadIds: undefined }),
      onRetry: (list: LeadList) => setDialog({ kind: 'retry', list }),
      onExport: (list: LeadList) => setDialog({ kind: 'export', list, leadIds: undefined }),
      onRename: (list: LeadList) => setDialog({ kind: 'rename', list }),
      onArchive: (list: LeadList) => void changes.archive(list),
      onRestore: (list: LeadList) => void changes.restore(list),
      onDelete: (list: LeadList) => setDialog({ kind: 'delete', list }),
    },
    checkSelected: (list: LeadList, leadIds: string[]) => setDialog({ kind: 'compliance', list, leadIds }),
    exportSelected: (list: LeadList, leadIds: string[]) => setDialog({ kind: 'export', list, leadIds }),
    dialogs: (
      <>
        {renderDialog()}
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
