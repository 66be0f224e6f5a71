import { useQuery } from '@tanstack/react-query';
import type { LeadList } from '#contract/lists.ts';
import type { RunDetail } from '#contract/runs.ts';
import { runsOfListQuery } from '#web/features/runs/api.ts';
import { RunPanel } from '#web/features/runs/run-panel.tsx';
import { isUnfinished } from '#web/features/runs/run-words.ts';
import { useSession } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import type { ListWork } from './use-list-work.tsx';
import { useRunAddress } from './use-run-address.ts';

/** The run that the address names, in a panel over the page. */
export function OpenRun({ lists, work }: { lists: readonly LeadList[]; work: ListWork }) {
  const { status } = useSession();
  const { runId, switchTo, close } = useRunAddress();
  if (!runId || status !== 'signed_in') return null;
  return (
    <RunPanel
      runId={runId}
      onSwitch={switchTo}
      onClose={close}
      action={(run) => (
        <Continue run={run} list={lists.find(({ id }) => id === run.listId)} work={work} onDone={close} />
      )}
    />
  );
}

/** Goes on where the newest run of its kind has stopped short. */
function Continue({
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
  const runs = useQuery({ ...runsOfListQuery(run.listId ?? '', false), enabled: run.listId !== null });
  const newest = runs.data?.find(({ kind }) => kind === run.kind)?.id === run.id;
  const { kind, leadIds } = run;
  if (kind === 'place' || !list || !newest || list.archived || list.status === 'processing' || !isUnfinished(run))
    return null;
  // A number whose check was lost is not sent again before somebody has looked whether it was charged: the panel says so.
  if (run.kind === 'compliance' && run.state === 'completed' && (run.calls.uncertain ?? 0) > 0) return null;
  const goOn = () => {
    onDone();
    work.finish(list, { kind, leadIds });
  };
  return (
    <Button size="sm" variant="primary" onClick={goOn}>
      {run.state === 'failed' ? 'Retry' : 'Finish the rest'}
    </Button>
  );
}
