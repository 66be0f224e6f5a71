import { useQuery } from '@tanstack/react-query';
import { CalendarX, ChartNoAxesColumn, Download } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import type { Usage } from '#contract/money/usage.ts';
import { RunPanel } from '#web/features/runs/run-panel.tsx';
import { wordsOf } from '#web/features/runs/work-words.ts';
import { TrainingVideoButton } from '#web/features/training/training-video-button.tsx';
import { usageQuery, useDownloadUsage } from '#web/features/usage/api.ts';
import { Meters } from '#web/features/usage/meters.tsx';
import { SpendChart } from '#web/features/usage/spend-chart.tsx';
import { UsageFilters } from '#web/features/usage/usage-filters.tsx';
import { UsageRuns } from '#web/features/usage/usage-runs.tsx';
import { UsageSkeleton } from '#web/features/usage/usage-skeleton.tsx';
import { ListsTable, ProvidersTable } from '#web/features/usage/usage-tables.tsx';
import { UsageTotals } from '#web/features/usage/usage-totals.tsx';
import {
  changeUsageView,
  daysIn,
  periodProblem,
  readUsageView,
  type UsageView,
} from '#web/features/usage/usage-view.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { STAY } from '#web/lib/browser/stay.ts';
import { useSession } from '#web/lib/session/session.tsx';
import { SignedOutAlert } from '#web/shell/gate/signed-out-alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { useRunAddress } from './list-work/use-run-address.ts';

/** What paid calls of some days have cost and brought. */
export function UsagePage() {
  const { status } = useSession();
  const [params, setParams] = useSearchParams();
  const view = readUsageView(params);
  const problem = periodProblem(view);
  const usage = useQuery({ ...usageQuery(view), enabled: status === 'signed_in' && !problem });
  const change = (next: Partial<UsageView>) => setParams(changeUsageView(view, next), { replace: true, state: STAY });
  const { data } = usage;
  const spent = data !== undefined && data.known.length > 0;
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        title="Usage Analytics"
        description="What your searches, emails and checks used."
        meta={spent && data.money === 'sandbox' ? <Badge tone="warning">Sandbox: no real money</Badge> : null}
        actions={
          <>
            <TrainingVideoButton page="usage" />
            {status === 'signed_in' ? (
              <Button asChild>
                <Link to="/evidence">Evidence</Link>
              </Button>
            ) : null}
            {spent && !problem ? <DownloadButton view={view} /> : null}
          </>
        }
      />
      {status === 'signed_out' ? (
        <SignedOutAlert>Sign in to see what your searches, emails and checks used.</SignedOutAlert>
      ) : usage.error && (!data || usage.isPlaceholderData) ? (
        <ReadFailed title="The usage could not be loaded" query={usage}>
          {errorMessage(usage.error)}
        </ReadFailed>
      ) : data && !spent ? (
        <ComingSoon />
      ) : (
        <>
          {data || problem ? (
            <UsageFilters
              view={view}
              money={data && data.known.length > 1 ? data.money : undefined}
              onChange={change}
            />
          ) : null}
          {problem ? (
            <EmptyState icon={CalendarX} title="No such period" description={problem} />
          ) : data ? (
            <Figures usage={data} view={view} stale={usage.isPlaceholderData} />
          ) : (
            <UsageSkeleton />
          )}
        </>
      )}
    </div>
  );
}

/** Stands here until anything was paid for. */
function ComingSoon() {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-dashed px-6 py-14 text-center">
      <ChartNoAxesColumn aria-hidden className="size-5 text-faint" />
      <p className="text-secondary">Usage analytics interface coming soon...</p>
    </div>
  );
}

function DownloadButton({ view }: { view: UsageView }) {
  const downloading = useDownloadUsage();
  const download = () =>
    downloading.mutate(view, {
      onSuccess: () => toast.success('Downloaded', 'Every call in the period.'),
      onError: (error) => toast.error('Download failed', errorMessage(error)),
    });
  return (
    <Button pending={downloading.isPending} onClick={download}>
      {downloading.isPending ? null : <Download aria-hidden />}
      Download CSV
    </Button>
  );
}

function Figures({ usage, view, stale }: { usage: Usage; view: UsageView; stale: boolean }) {
  const { runId, show, switchTo, close } = useRunAddress();
  if (usage.totals.calls + usage.totals.recalled === 0)
    return (
      <EmptyState
        icon={ChartNoAxesColumn}
        title="Nothing was used in this period"
        description="Choose other days to see what was spent on them."
      />
    );
  return (
    <div
      aria-busy={stale}
      className={`grid grid-cols-1 gap-6 ${stale ? 'opacity-60 transition-opacity' : ''}`}
      data-paper="wide"
    >
      <UsageTotals usage={usage} />
      <SpendChart days={daysIn(view)} spent={usage.days} />
      <ProvidersTable providers={usage.providers} />
      <Meters />
      <ListsTable lists={usage.lists} otherLists={usage.otherLists} />
      <UsageRuns view={view} labelOf={(run) => wordsOf(run).title} onOpen={show} />
      <p className="text-faint text-sm">
        Days are in UTC. A call counts on the day it was sent, at its estimate until its price is known. Costs per
        business, email and phone cover the runs that began in the period.
      </p>
      {runId ? <RunPanel runId={runId} onSwitch={switchTo} onClose={close} action={() => null} /> : null}
    </div>
  );
}
