import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { LeadList } from '#contract/work/lists.ts';
import { runWorkOf } from '#contract/work/run-work.ts';
import type { RunDetail } from '#contract/work/runs.ts';
import { runsOfListQuery } from '#web/features/runs/api.ts';
import { workOf } from '#web/features/runs/failure.ts';
import { remedyOf } from '#web/features/runs/remedy.ts';
import { isUnfinished } from '#web/features/runs/run-words.ts';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { RemedyButton } from './remedy-button.tsx';
import type { ListWork } from './use-list-work.tsx';
import { useRunAddress } from './use-run-address.ts';

const RunPanel = lazy(async () => ({
  default: (await loadAgain(() => import('#web/features/runs/run-panel.tsx'), 'RunPanel')).RunPanel,
}));

/** The run that the address names, in a panel over the page. */
export function OpenRun({ lists, work }: { lists: readonly LeadList[]; work: ListWork }) {
  const { status } = useSession();
  const { runId, switchTo, close } = useRunAddress();
  if (!runId || status !== 'signed_in') return null;
  return (
    <Suspense fallback={null}>
      <RunPanel
        runId={runId}
        onSwitch={switchTo}
        onClose={close}
        action={(run) => (
          <Continue run={run} list={lists.find(({ id }) => id === run.listId)} actions={work} onDone={close} />
        )}
        remedy={(run) => <Mend run={run} list={lists.find(({ id }) => id === run.listId)} work={work} onDone={close} />}
      />
    </Suspense>
  );
}

/** What mends the failure of a run that is the last word on its list. */
function Mend({
  run,
  list,
  work,
  onDone,
}: {
  run: RunDetail;
  list: LeadList | undefined;
  work: ListWork;
  onDone: () => void;
}) {
  const remedy = run.state === 'failed' ? remedyOf(run.kind, run.errorCode) : undefined;
  if (!list || list.archived || list.status === 'processing' || !remedy) return null;
  const mend = () => {
    onDone();
    work.mend(remedy, list.id);
  };
  return <RemedyButton remedy={remedy} of={list.name} onPress={mend} />;
}

/** Goes on where the newest run of its kind has stopped short. */
function Continue({
  run,
  list,
  actions,
  onDone,
}: {
  run: RunDetail;
  list: LeadList | undefined;
  actions: ListWork;
  onDone: () => void;
}) {
  const runs = useQuery({ ...runsOfListQuery(run.listId ?? '', false), enabled: run.listId !== null });
  const newest = runs.data?.find((other) => runWorkOf(other) === runWorkOf(run))?.id === run.id;
  const work = workOf(run);
  if (!work || !list || !newest || list.archived || list.status === 'processing' || !isUnfinished(run)) return null;
  // A number whose check was lost is not sent again before someone has looked whether it was charged: the panel says so.
  if (run.kind === 'compliance' && run.state === 'completed' && (run.calls.uncertain ?? 0) > 0) return null;
  const goOn = () => {
    onDone();
    actions.again(list, work, run.state !== 'failed');
  };
  return (
    <Button size="sm" variant="primary" onClick={goOn}>
      {run.state === 'failed' ? 'Retry' : 'Finish the rest'}
    </Button>
  );
}
