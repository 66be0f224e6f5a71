import { useQuery } from '@tanstack/react-query';
import type { LeadList } from '#contract/work/lists.ts';
import type { Run } from '#contract/work/runs.ts';
import { ALL_RESULTS } from '#contract/work/search/areas.ts';
import { useCancelRun } from '#web/features/runs/api.ts';
import { workOf } from '#web/features/runs/failure.ts';
import { isOpen } from '#web/features/runs/run-words.ts';
import { areaCountQuery } from '#web/features/search/area/area-api.ts';
import { lookText, soFarText } from '#web/features/search/area/area-count-text.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatMoment, plural } from '#web/lib/format/format.ts';
import { timeLeftText } from '#web/lib/format/time-left.ts';
import type { ListWork } from '#web/pages/list-work/use-list-work.tsx';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';

/** How far the count of an area is that a search has begun with. */
export function CountSoFar({ run }: { run: Run | undefined }) {
  const counts = run?.state === 'running' && run.search?.pagesToBuy === 0 && run.search.found === 0;
  const search = counts && run.searchFor?.maxResults === ALL_RESULTS ? run.searchFor : undefined;
  const { data } = useQuery(areaCountQuery(search));
  if (!search || data?.state !== 'counting') return null;
  return (
    <p className="tabular-nums">
      {[soFarText(data), lookText(data), timeLeftText(data.etaSeconds)].filter(Boolean).join(' · ')}
    </p>
  );
}

/** What the last search of an area did not buy because of its limit, or did not get for its pages, and the way to go on. */
export function NotBought({ list, runs, work }: { list: LeadList; runs: readonly Run[]; work: ListWork }) {
  const run = runs.find(({ kind }) => kind === 'search');
  const { pagesLeft = 0, placesLeft = 0 } = run?.search ?? {};
  const again = run && workOf(run);
  if (!run || !again || isOpen(run) || pagesLeft === 0) return null;
  const canGoOn = list.status !== 'processing' && !list.archived;
  return (
    <>
      <dt className="text-faint">Left to buy</dt>
      <dd className="flex flex-wrap gap-x-3">
        {`${plural(pagesLeft, 'page')} with up to ${plural(placesLeft, 'place')}`}
        {canGoOn ? (
          <Button
            variant="link"
            size="sm"
            className="text-sm"
            onClick={() => work.again(list, { ...again, spendAtMostMicros: undefined }, true)}
          >
            Buy the rest
          </Button>
        ) : null}
      </dd>
    </>
  );
}

/** When a search goes on by itself, and the way to have it not. */
export function GoesOn({ run, at }: { run: Run; at: string }) {
  const cancel = useCancelRun();
  return (
    <span className="flex flex-wrap items-center gap-2 text-sm">
      {`It continues by itself on ${formatMoment(at)}.`}
      <Button
        size="sm"
        pending={cancel.isPending}
        onClick={() =>
          cancel.mutate(run.id, {
            onError: (error) => toast.error('The search still continues by itself', errorMessage(error)),
          })
        }
      >
        Do not continue
      </Button>
    </span>
  );
}
