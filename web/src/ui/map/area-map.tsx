import { type ComponentProps, lazy, Suspense } from 'react';
import { loadAgain } from '#web/lib/browser/load-again.ts';
import { cn } from '#web/ui/cn.ts';
import { ErrorBoundary } from '#web/ui/feedback/error-boundary.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import type { MapView } from './map-view.tsx';

const LazyView = lazy(async () => ({ default: (await loadAgain(() => import('./map-view.tsx'), 'MapView')).MapView }));

/** A map, which is fetched when it is first shown. `className` gives it its height. */
export function AreaMap({ className, ...props }: ComponentProps<typeof MapView> & { className: string }) {
  return (
    <div
      className={cn('isolate flex flex-col overflow-hidden rounded-lg border bg-background print:hidden', className)}
    >
      <ErrorBoundary fallback={<Unavailable />}>
        <Suspense fallback={<Skeleton className="size-full" />}>
          <LazyView {...props} />
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

function Unavailable() {
  return (
    <p role="status" className="grid size-full place-items-center px-6 text-center text-secondary text-sm">
      The map could not be shown. Everything else works without it.
    </p>
  );
}
