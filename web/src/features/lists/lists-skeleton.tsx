import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

const CARDS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** In the shape of the cards; shows after 150 ms, so that a quick answer does not flash. */
export function ListsSkeleton() {
  return (
    <div role="status" className={`${CARD_GRID} animate-fade-in [animation-delay:150ms] [animation-fill-mode:both]`}>
      <span className="sr-only">Loading lists</span>
      {CARDS.map((card) => (
        <div key={card} className="grid gap-3 rounded-lg border bg-surface p-4">
          <Skeleton className="w-3/5" />
          <Skeleton className="h-3 w-2/5" />
          <Skeleton className="mt-1 h-5 w-1/4" />
          <Skeleton className="h-1 w-full" />
          <div className="flex gap-1">
            <Skeleton className="h-5 w-14" />
            <Skeleton className="h-5 w-16" />
          </div>
          <Skeleton className="mt-3 h-7 w-2/3" />
        </div>
      ))}
    </div>
  );
}

/** Cards in one, two or three columns. */
export const CARD_GRID = 'grid grid-cols-1 gap-3 md:grid-cols-2 xl:grid-cols-3';
