import { useQuery } from '@tanstack/react-query';
import { Map as MapIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { LeadList } from '#contract/work/lists.ts';
import { coverageQuery } from '#web/features/coverage/api.ts';
import { CoverageMap } from '#web/features/coverage/coverage-map.tsx';
import { changeLeadsView, readLeadsView } from '#web/features/leads/leads-view.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { STAY } from '#web/lib/browser/stay.ts';
import { Button } from '#web/ui/button.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

function useShownMap() {
  const [params, setParams] = useSearchParams();
  const view = readLeadsView(params);
  const toggle = () =>
    setParams(changeLeadsView(view, { map: !view.map, page: view.page }), { replace: true, state: STAY });
  return { shown: view.map, toggle };
}

/** Shows or hides the map of a list that was searched for all of an area. */
export function MapToggle() {
  const { shown, toggle } = useShownMap();
  return (
    <Button onClick={toggle} className="print:hidden">
      <MapIcon aria-hidden />
      {shown ? 'Hide map' : 'Map'}
    </Button>
  );
}

/** The leads of a list, and beside them the map of the area that they were searched in. */
export function BesideMap({ list, hasMap, children }: { list: LeadList; hasMap: boolean; children: ReactNode }) {
  const { shown } = useShownMap();
  if (!shown || !hasMap) return children;
  return (
    <div className="grid grid-cols-1 gap-4 xl:grid-cols-[minmax(0,1fr)_26rem] print:block">
      <div className="grid min-w-0 content-start gap-3 max-xl:order-last">{children}</div>
      <aside aria-label="Map" className="xl:sticky xl:top-4 xl:self-start print:hidden">
        <ListMap list={list} />
      </aside>
    </div>
  );
}

/** How often the parts are read while a search is under way, in ms. */
const FOLLOW_MS = 5000;

function ListMap({ list }: { list: LeadList }) {
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
    <ReadFailed title="The map could not be read" query={coverage}>
      {errorMessage(coverage.error)}
    </ReadFailed>
  );
}
