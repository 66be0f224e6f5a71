import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useNavigate } from 'react-router';
import type { ApiKey } from '#contract/account/api-keys.ts';
import type { ProviderId } from '#contract/providers.ts';
import type { ChosenLeads } from '#contract/work/lead-choice.ts';
import type { LeadList } from '#contract/work/lists.ts';
import type { SearchForm } from '#contract/work/search/search.ts';
import { ApiKeyDialog } from '#web/features/api-keys/api-key-dialog.tsx';
import { useSpendAtMost } from '#web/features/budgets/use-spend-at-most.tsx';
import { complianceEstimateQuery, complianceKeys } from '#web/features/compliance/api.ts';
import { CheckComplianceDialog } from '#web/features/compliance/check-dialog.tsx';
import { compliancePriceLine } from '#web/features/compliance/price-text.ts';
import { enrichmentEstimateQuery } from '#web/features/enrichment/api.ts';
import { EnrichDialog } from '#web/features/enrichment/enrich-dialog.tsx';
import { CallChoice, NO_CALLS } from '#web/features/exports/call-choice.tsx';
import { ExportDialog } from '#web/features/exports/export-dialog.tsx';
import { leadCountsQuery } from '#web/features/leads/api.ts';
import { leadKeys } from '#web/features/leads/lead-keys.ts';
import { listKeys } from '#web/features/lists/api.ts';
import { DeleteDialog } from '#web/features/lists/delete-dialog.tsx';
import { RenameDialog } from '#web/features/lists/rename-dialog.tsx';
import type { useChangeList } from '#web/features/lists/use-change-list.ts';
import { CopyLeadsDialog } from '#web/features/move-leads/copy-leads-dialog.tsx';
import { DeleteLeadsDialog } from '#web/features/move-leads/delete-leads-dialog.tsx';
import { MergeListDialog } from '#web/features/move-leads/merge-list-dialog.tsx';
import { isFree, type Work } from '#web/features/runs/failure.ts';
import { formOf, isSearchable } from '#web/features/search/api.ts';
import { TrainingVideoButton } from '#web/features/training/training-video-button.tsx';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { CannotRetryDialog } from './cannot-retry-dialog.tsx';
import { dialogName, type Limit, PROVIDER_OF, type WantedEnrichment } from './job.ts';
import { RetryDialog } from './retry-dialog.tsx';

export type OpenDialog =
  | { kind: 'search'; defaults: SearchForm | undefined }
  | { kind: 'rename' | 'delete'; list: LeadList }
  | { kind: 'merge'; list: LeadList }
  | { kind: 'copy'; list: LeadList; chosen: ChosenLeads | undefined; onRemoved?: () => void }
  | { kind: 'delete-leads'; list: LeadList; chosen: ChosenLeads; onRemoved: () => void }
  /** The work as it was when the dialog was opened. `finish`: of a run that went well, or was ended, before it was done. */
  | { kind: 'retry'; list: LeadList; work: Work; finish: boolean }
  | { kind: 'enrich'; list: LeadList; chosen: ChosenLeads | undefined; verify?: boolean }
  | { kind: 'compliance' | 'export'; list: LeadList; chosen: ChosenLeads | undefined };

type Props = {
  dialog: OpenDialog | undefined;
  lists: readonly LeadList[];
  isConnected: (provider: ProviderId) => boolean | undefined;
  changes: ReturnType<typeof useChangeList>;
  /** The provider whose key is being typed, and its record. */
  connecting: ProviderId | undefined;
  connected: ApiKey | undefined;
  onConnect: (provider: ProviderId | undefined) => void;
  onNewSearch: (defaults: SearchForm) => void;
  onSearch: (form: SearchForm, limit: Limit) => Promise<boolean>;
  /** These three resolve to false when the session had ended. */
  onEnrich: (wanted: WantedEnrichment) => Promise<boolean>;
  /** Asks what it costs to verify emails, instead of exporting them. */
  onVerify: (list: LeadList, chosen: ChosenLeads | undefined) => void;
  onCheck: (list: LeadList, chosen: ChosenLeads | undefined, limit: Limit) => Promise<boolean>;
  onRetry: (list: LeadList, work: Work, limit: Limit) => Promise<boolean>;
  onDeleted: ((list: LeadList) => void) | undefined;
  onClose: () => void;
};

// The form library comes with it.
export const loadNewSearch = () =>
  loadAgain(() => import('#web/features/search/new-search-dialog.tsx'), 'NewSearchDialog');
const NewSearchDialog = lazy(async () => ({ default: (await loadNewSearch()).NewSearchDialog }));

/** The dialog that is open, over the newest state of its list, and the one that a key is typed into. */
export function ListDialogs(props: Props) {
  const { connecting, dialog } = props;
  return (
    <>
      {dialog ? <ShownDialog key={dialog.kind} {...props} dialog={dialog} /> : null}
      {connecting ? (
        <ApiKeyDialog
          provider={connecting}
          current={props.connected}
          open
          onOpenChange={(open) => (open ? undefined : props.onConnect(undefined))}
        />
      ) : null}
    </>
  );
}

/** Dialogs that ask what may be spent. */
const SPENDS: readonly OpenDialog['kind'][] = ['search', 'enrich', 'compliance', 'retry'];

/** What keeps apart what is typed into dialogs. */
const nameOf = (dialog: OpenDialog): string =>
  dialog.kind === 'search'
    ? dialog.kind
    : dialogName(dialog.kind, dialog.list.id, 'chosen' in dialog && dialog.chosen !== undefined);

function ShownDialog(props: Props & { dialog: OpenDialog }) {
  const { dialog, lists, isConnected, onConnect } = props;
  const { spendAtMost, limit, refusal, clear, sent } = useSpendAtMost({
    dialog: nameOf(dialog),
    initialMicros: dialog.kind === 'retry' ? dialog.work.spendAtMostMicros : undefined,
    enabled: SPENDS.includes(dialog.kind),
  });
  const onClose = () => {
    clear();
    props.onClose();
  };
  const send = (taken: Promise<boolean>) => {
    sent(taken);
    props.onClose();
    return taken;
  };
  if (dialog.kind === 'search') {
    return (
      <Suspense fallback={null}>
        <NewSearchDialog
          defaults={dialog.defaults}
          providerMissing={isConnected('google_places') === false}
          spendAtMost={spendAtMost(['google_places'], undefined)}
          refusal={(boundMicros) => refusal('google_places', undefined, boundMicros)}
          help={<TrainingVideoButton page="search" className="mr-auto" />}
          onConnectProvider={() => onConnect('google_places')}
          onStart={(form, shown) => props.onSearch(form, limit(shown))}
          onClose={onClose}
        />
      </Suspense>
    );
  }
  const list = lists.find(({ id }) => id === dialog.list.id) ?? dialog.list;
  switch (dialog.kind) {
    case 'enrich':
      return (
        <Enrich
          list={list}
          chosen={dialog.chosen}
          verify={dialog.verify ?? false}
          spendAtMost={spendAtMost(['hunter_io', 'searchbug'], list.sandbox)}
          refusal={(provider, boundMicros) => refusal(provider, list.sandbox, boundMicros)}
          isConnected={isConnected}
          onConnectProvider={onConnect}
          onStart={(choice, shown, steps) => {
            const limits = { emails: limit(shown.emails), compliance: limit(shown.compliance) };
            return send(props.onEnrich({ list, chosen: dialog.chosen, choice, steps, limits }));
          }}
          onClose={onClose}
        />
      );
    case 'compliance':
      return (
        <CheckComplianceDialog
          list={list}
          chosen={dialog.chosen}
          spendAtMost={spendAtMost(['searchbug'], list.sandbox)}
          refusal={(boundMicros) => refusal('searchbug', list.sandbox, boundMicros)}
          providerMissing={isConnected('searchbug') === false}
          onConnectProvider={() => onConnect('searchbug')}
          onStart={(shown) => void send(props.onCheck(list, dialog.chosen, limit(shown)))}
          onClose={onClose}
        />
      );
    case 'retry': {
      const { work, finish } = dialog;
      const { kind, searchFor } = work;
      if (kind === 'search' && !searchFor && !isSearchable(list.searchParams)) {
        const newSearch = () => props.onNewSearch(formOf(list.searchParams));
        return <CannotRetryDialog list={list} onNewSearch={newSearch} onClose={onClose} />;
      }
      const provider = PROVIDER_OF[kind];
      return (
        <RetryDialog
          list={list}
          work={work}
          finish={finish}
          spendAtMost={spendAtMost([provider], list.sandbox)}
          refusal={(boundMicros) => refusal(provider, list.sandbox, boundMicros)}
          keyMissing={!isFree(work) && isConnected(provider) === false}
          onConnectKey={() => onConnect(provider)}
          onRetry={(shown) => void send(props.onRetry(list, work, limit(shown)))}
          onClose={onClose}
        />
      );
    }
    case 'export':
      return (
        <Export
          list={list}
          chosen={dialog.chosen}
          onVerify={() => props.onVerify(list, dialog.chosen)}
          onClose={onClose}
        />
      );
    case 'copy':
      return <Copy {...dialog} list={list} lists={lists} onClose={onClose} />;
    case 'merge':
      return <Merge list={list} lists={lists} onClose={onClose} />;
    case 'delete-leads':
      return <DeleteLeads {...dialog} list={list} onClose={onClose} />;
    case 'rename':
      return <Rename list={dialog.list} {...props} />;
    case 'delete':
      return <Delete list={dialog.list} {...props} />;
  }
}

function Enrich(props: Omit<Parameters<typeof EnrichDialog>[0], 'compliancePrice'>) {
  const { list, chosen } = props;
  // What is read of it is read by the dialog, when the check is chosen there.
  const compliance = useQuery({ ...complianceEstimateQuery(list.id, chosen?.choice), notifyOnChangeProps: 'all' });
  const count = chosen?.count ?? list.leadCount;
  return <EnrichDialog compliancePrice={compliancePriceLine(compliance, count)} {...props} />;
}

type ExportProps = {
  list: LeadList;
  chosen: ChosenLeads | undefined;
  onVerify: () => void;
  onClose: () => void;
};

function Export({ list, chosen, onVerify, onClose }: ExportProps) {
  const [calls, setCalls, clear] = useDraftState(`export-calls:${list.id}`, CallChoice, NO_CALLS);
  const within = calls.within === undefined ? {} : { call_within: calls.within };
  const whole = useQuery(leadCountsQuery(list.id, {}));
  const counts = useQuery(leadCountsQuery(list.id, { ...chosen?.choice, ...within }));
  const verification = useQuery({
    ...enrichmentEstimateQuery({ listId: list.id, choice: chosen?.choice, steps: ['verifier'] }),
    enabled: list.hasEmails,
  });
  return (
    <ExportDialog
      list={list}
      whole={whole.data}
      counts={counts.data?.exports}
      choice={chosen?.choice}
      toVerify={verification.data}
      onVerify={onVerify}
      calls={calls}
      onCallsChange={setCalls}
      failed={whole.isError || counts.isError}
      onRetry={() => {
        void whole.refetch();
        void counts.refetch();
      }}
      onClose={() => {
        clear();
        onClose();
      }}
    />
  );
}

/** Reads again what leads have left or come to. */
function useReadAgain() {
  const queries = useQueryClient();
  return (listIds: readonly string[]) => {
    void queries.invalidateQueries({ queryKey: listKeys.all });
    for (const id of listIds) void queries.invalidateQueries({ queryKey: leadKeys.ofList(id) });
    void queries.invalidateQueries({ queryKey: complianceKeys.all });
  };
}

type Changing<D extends OpenDialog> = D & { onClose: () => void };

/** Leads are moved where someone wants to know that they are gone. */
function Copy(props: Changing<Extract<OpenDialog, { kind: 'copy' }>> & Pick<Props, 'lists'>) {
  const { list, lists, chosen, onRemoved, onClose } = props;
  const navigate = useNavigate();
  const readAgain = useReadAgain();
  return (
    <CopyLeadsDialog
      list={list}
      lists={lists}
      chosen={chosen}
      remove={onRemoved !== undefined}
      onOpenList={(id) => void navigate(`/lists/${id}`)}
      onDone={(ids) => {
        onRemoved?.();
        readAgain(ids);
      }}
      onRefused={() => readAgain([list.id])}
      onClose={onClose}
    />
  );
}

function Merge(props: { list: LeadList; lists: readonly LeadList[]; onClose: () => void }) {
  const navigate = useNavigate();
  const readAgain = useReadAgain();
  return <MergeListDialog {...props} onOpenList={(id) => void navigate(`/lists/${id}`)} onDone={readAgain} />;
}

function DeleteLeads({ list, chosen, onRemoved, onClose }: Changing<Extract<OpenDialog, { kind: 'delete-leads' }>>) {
  const readAgain = useReadAgain();
  return (
    <DeleteLeadsDialog
      list={list}
      chosen={chosen}
      onDone={(ids) => {
        onRemoved();
        readAgain(ids);
      }}
      onRefused={() => readAgain([list.id])}
      onClose={onClose}
    />
  );
}

function Rename({ list, changes, onClose }: { list: LeadList } & Pick<Props, 'changes' | 'onClose'>) {
  const rename = async (name: string) => {
    if (await changes.rename(list, name)) onClose();
  };
  return (
    <RenameDialog list={list} pending={changes.pending} onRename={(name) => void rename(name)} onClose={onClose} />
  );
}

function Delete({
  list,
  changes,
  onDeleted,
  onClose,
}: { list: LeadList } & Pick<Props, 'changes' | 'onDeleted' | 'onClose'>) {
  const remove = async () => {
    const removed = await changes.remove(list);
    onClose();
    if (removed) onDeleted?.(list);
  };
  return <DeleteDialog list={list} pending={changes.pending} onDelete={() => void remove()} onClose={onClose} />;
}
