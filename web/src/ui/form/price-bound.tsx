import { formatExact } from '#web/lib/format/format.ts';
import { mostOf, type PriceLine } from '#web/lib/format/price-line.ts';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

/**
 * What will be charged at most, under an estimate. Made of spans, so that it can stand in the description of a dialog. `capMicros`: what
 * the user allows for each line.
 */
export function PriceBound({
  lines,
  capMicros,
  failure = 'Already known results could not be counted. You do not pay for them again.',
}: {
  lines: readonly PriceLine[];
  capMicros?: number | undefined;
  /** What stands there when a price could not be read. */
  failure?: string;
}) {
  const failed = lines.find(({ query }) => query.isError)?.query;
  if (!failed && lines.some(({ price }) => price === undefined)) {
    return (
      <span role="status" className="grid gap-2 py-0.5">
        <span className="sr-only">Counting …</span>
        <Skeleton className="w-3/4" />
        <Skeleton className="w-2/5" />
      </span>
    );
  }
  const most = lines.reduce((sum, line) => sum + mostOf(line, capMicros), 0);
  return (
    <span role="status" className="grid gap-1 tabular-nums">
      {failed ? (
        <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <span className="min-w-0 flex-1 basis-48 text-secondary text-sm">{failure}</span>
          <Button size="sm" pending={failed.isFetching} onClick={() => void failed.refetch()}>
            Count again
          </Button>
        </span>
      ) : null}
      {lines.map((line) =>
        line.price ? (
          <span key={line.price.text} className="flex items-baseline justify-between gap-4 text-secondary text-sm">
            <span className="min-w-0">{line.price.text}</span>
            {lines.length > 1 ? <span>{formatExact(mostOf(line, capMicros))}</span> : null}
          </span>
        ) : null,
      )}
      <span className="flex items-baseline justify-between gap-4 font-medium text-foreground">
        <span>{most === 0 ? 'You will be charged nothing' : 'You will be charged at most'}</span>
        <span>{formatExact(most)}</span>
      </span>
      {most > 0 && lines.some(({ price }) => price?.sandbox) ? (
        <span className="text-secondary text-sm">Sandbox: no real money</span>
      ) : null}
    </span>
  );
}
