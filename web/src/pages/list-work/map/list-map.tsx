import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { LeadList } from '#contract/work/lists.ts';
import { coverageQuery } from '#web/features/coverage/api.ts';
import { CoverageMap } from '#web/features/coverage/coverage-map.tsx';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

/** How often the parts are read while a search is under way, in ms. */
const FOLLOW_MS = 5000;

/** The map of the area that a list was searched in, with the way to its certificate. */
export function ListMap({ list }: { list: LeadList }) {
  const searching = list.status === 'processing';
  const coverage = useQuery({ ...coverageQuery(list.id), refetchInterval: searching ? FOLLOW_MS : false });
  if (coverage.data) {
    return (
      <div className="grid gap-2">
        <CoverageMap coverage={coverage.data} className="h-80 xl:h-112" />
        <p className="text-faint text-sm">
          The map shows how many places each part holds, not where they are: Google allows that on its own maps only.{' '}
          <Link to={`/lists/${list.id}/coverage`} className="text-accent underline underline-offset-4">
            Show certificate
          </Link>
        </p>
      </div>
    );
  }
  if (!coverage.isError) return <Skeleton className="h-80 xl:h-112" />;
  return (
    <ReadFailed title="The map could not be loaded" query={coverage}>
      {errorMessage(coverage.error)}
    </ReadFailed>
  );
}
