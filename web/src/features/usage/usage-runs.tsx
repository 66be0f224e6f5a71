import { useInfiniteQuery } from '@tanstack/react-query';
import type { UsageRun } from '#contract/money/usage.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#web/ui/table/table.tsx';
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx';
import { usageRunsQuery } from './api.ts';
import { ListName, SumsCells, SumsHeads, UsageSection } from './usage-tables.tsx';
import type { UsageView } from './usage-view.ts';

/** The runs of a period, newest first, page after page. */
export function UsageRuns({
  view,
  labelOf,
  onOpen,
}: {
  view: UsageView;
  labelOf: (run: UsageRun) => string;
  onOpen: (runId: string) => void;
}) {
  const runs = useInfiniteQuery(usageRunsQuery(view));
  const rows = runs.data?.pages.flatMap((page) => page.runs);
  return (
    <UsageSection title="By run">
      {runs.isError && (!rows || runs.isPlaceholderData) ? (
        <ReadFailed title="The runs could not be loaded" query={runs}>
          {errorMessage(runs.error)}
        </ReadFailed>
      ) : !rows ? (
        <TableSkeleton label="Loading the runs" rows={5} rowClassName="h-10">
          <Skeleton className="w-24" />
          <Skeleton className="min-w-0 flex-1" />
          <Skeleton className="w-16" />
        </TableSkeleton>
      ) : (
        <>
          <RunsTable runs={rows} labelOf={labelOf} onOpen={onOpen} />
          {runs.hasNextPage ? (
            <Button
              size="sm"
              className="justify-self-center"
              pending={runs.isFetchingNextPage}
              onClick={() => void runs.fetchNextPage()}
            >
              Show more
            </Button>
          ) : null}
        </>
      )}
    </UsageSection>
  );
}

function RunsTable({
  runs,
  labelOf,
  onOpen,
}: {
  runs: readonly UsageRun[];
  labelOf: (run: UsageRun) => string;
  onOpen: (runId: string) => void;
}) {
  return (
    <Table label="By run">
      <TableHeader>
        <tr>
          <TableHead>Run</TableHead>
          <TableHead className="max-sm:hidden">List</TableHead>
          <TableHead className="max-sm:hidden">Started</TableHead>
          <SumsHeads />
        </tr>
      </TableHeader>
      <TableBody>
        {runs.map((run) => (
          <TableRow key={run.id}>
            <TableCell className="font-medium max-sm:w-full max-sm:min-w-52 max-sm:max-w-0 sm:whitespace-nowrap">
              <button
                type="button"
                aria-label={`${labelOf(run)} of ${run.listName}`}
                onClick={() => onOpen(run.id)}
                className="min-h-7 rounded-sm underline-offset-4 hover:underline"
              >
                {labelOf(run)}
              </button>
              <span className="block truncate font-normal text-secondary text-sm sm:hidden">
                <bdi>{run.listName}</bdi>
                {` · ${formatDate(run.createdAt)}`}
              </span>
            </TableCell>
            <TableCell className="w-full max-w-0 min-w-44 truncate max-sm:hidden">
              {run.kind === 'place' ? (
                <bdi className="text-secondary">{run.listName}</bdi>
              ) : (
                <ListName listId={run.listId} name={run.listName} />
              )}
            </TableCell>
            <TableCell className="whitespace-nowrap text-secondary tabular-nums max-sm:hidden">
              {formatDate(run.createdAt)}
            </TableCell>
            <SumsCells sums={run} />
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
