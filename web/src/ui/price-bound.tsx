import { formatBound, formatMoney } from '#web/lib/format.ts';
import { Button } from './button.tsx';
import { Skeleton } from './skeleton.tsx';

/** A read of a price; as a query of TanStack Query is. */
export type PriceQuery = {
  isError: boolean;
  isPending: boolean;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
};
export type PriceLine = {
  query: PriceQuery;
  /** What is paid for, and what is not; undefined until that is known. Micro-dollars. `nothing`: why there is nothing to do at all. */
  price: { text: string; boundMicros: number; nothing?: string | undefined } | undefined;
};

/** What will be paid at the most, under an estimate. Made of spans, so that it can stand in the description of a dialog. */
export function PriceBound({
  lines,
  failure = 'What is known already could not be counted. The estimate holds, and nothing known is paid for again.',
}: {
  lines: readonly PriceLine[];
  /** What stands there when a price could not be read. */
  failure?: string;
}) {
  const failed = lines.find(({ query }) => query.isError)?.query;
  if (failed) {
    return (
      <span role="status" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span className="min-w-0 flex-1 basis-48 text-secondary text-sm">{failure}</span>
        <Button size="sm" pending={failed.isFetching} onClick={() => void failed.refetch()}>
          Count again
        </Button>
      </span>
    );
  }
  const prices = lines.flatMap(({ price }) => price ?? []);
  if (prices.length < lines.length) {
    return (
      <span role="status" className="grid gap-2 py-0.5">
        <span className="sr-only">Counting …</span>
        <Skeleton className="w-3/4" />
        <Skeleton className="w-2/5" />
      </span>
    );
  }
  const boundMicros = prices.reduce((sum, price) => sum + price.boundMicros, 0);
  return (
    <span role="status" className="grid gap-1 tabular-nums">
      {prices.map(({ text, ...price }) => (
        <span key={text} className="flex items-baseline justify-between gap-4 text-secondary text-sm">
          <span className="min-w-0">{text}</span>
          {prices.length > 1 ? <span>{formatMoney(price.boundMicros)}</span> : null}
        </span>
      ))}
      <span className="flex items-baseline justify-between gap-4 font-medium text-foreground">
        <span>{boundMicros === 0 ? 'Nothing to pay' : 'Will not exceed'}</span>
        <span>{formatBound(boundMicros)}</span>
      </span>
    </span>
  );
}
