import { Map as MapIcon } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import type { LeadList } from '#contract/work/lists.ts';
import { changeLeadsView, readLeadsView } from '#web/features/leads/view/leads-view.ts';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { STAY } from '#web/lib/browser/stay.ts';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

const ListMap = lazy(async () => ({ default: (await loadAgain(() => import('./list-map.tsx'), 'ListMap')).ListMap }));

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
        <Suspense fallback={<Skeleton className="h-80 xl:h-112" />}>
          <ListMap list={list} />
        </Suspense>
      </aside>
    </div>
  );
}
