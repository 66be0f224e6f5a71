import type { Coverage } from '#contract/work/search/coverage.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { MessageText } from '#web/lib/format/api-providers.tsx';
import { formatRate } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { useGoogleCount } from './api.ts';
import { googleCountText } from './coverage-text.ts';

/** How many places Google counts by itself, or the priced way to find out. */
export function GoogleCount({ listId, coverage }: { listId: string; coverage: Coverage }) {
  const { aggregateCount, aggregateMicros } = coverage;
  const asking = useGoogleCount(listId);
  if (aggregateCount !== undefined) {
    return googleCountText(coverage, aggregateCount);
  }
  if (aggregateMicros === undefined) {
    return 'Google has none for these business types or this area.';
  }
  return (
    <>
      <span className="hidden print:inline">Google was not asked.</span>
      <span className="grid justify-items-start gap-2 print:hidden">
        {asking.error ? (
          <span role="alert" className="text-danger text-sm">
            <MessageText text={errorMessage(asking.error)} />
          </span>
        ) : null}
        <Button size="sm" pending={asking.isPending} onClick={() => asking.mutate()}>
          {`Ask Places Aggregate (${formatRate(aggregateMicros)})`}
        </Button>
      </span>
    </>
  );
}
