import { useQuery } from '@tanstack/react-query';
import { readMaxResults, SearchForm } from '#contract/work/search/search.ts';
import { ApiError } from '#web/lib/backend/api-error.ts';
import type { PriceLine } from '#web/lib/format/price-line.ts';
import { PriceBound } from '#web/ui/form/price-bound.tsx';
import { placesRequestOf, searchCountQuery, useLookUp } from './api.ts';
import { searchableText, searchPriceLine } from './count-text.ts';
import { LookUpButton } from './look-up-button.tsx';
import { useSettled } from './use-settled.ts';

/** Long enough to finish a word, in ms. */
export const SETTLED_AFTER_MS = 600;

/** How many places the form would find and what that costs at most: counted for free while it is filled in, once its location is known. */
export function useSearchCount(values: { maxResults?: string | undefined }) {
  const text = searchableText(values);
  const settled = useSettled(text, SETTLED_AFTER_MS);
  const form = settled === '' ? undefined : SearchForm.parse(JSON.parse(settled));
  const query = useQuery({ ...searchCountQuery(form && placesRequestOf(form)), enabled: form !== undefined });
  const isCurrent = text === settled;
  const maxResults = readMaxResults(values.maxResults ?? '');
  const counted = searchPriceLine(query, { location: form?.location ?? '', maxResults });
  const line: PriceLine = isCurrent ? counted : { ...counted, price: undefined };
  return { form, query, isCurrent, line, lookUp: useLookUp() };
}

/** Shows it, once there is something to count. */
export function SearchCountPanel({
  count,
  capMicros,
}: {
  count: ReturnType<typeof useSearchCount>;
  /** What the user lets the search cost. */
  capMicros: number | undefined;
}) {
  const { form, query, isCurrent, line, lookUp } = count;
  if (!form) return null;
  const { data, error } = query;
  const unknownPlace = error instanceof ApiError && error.code === 'UNKNOWN_PLACE' ? error.serverMessage : undefined;
  return (
    <section aria-label="Places found" className="rounded-lg border px-4 py-3">
      <PriceBound lines={[line]} capMicros={capMicros} failure={unknownPlace ?? 'The places could not be counted.'} />
      {data?.place === null && !error && isCurrent ? (
        <LookUpButton location={form.location} micros={data.lookUpMicros} sandbox={data.sandbox} lookUp={lookUp} />
      ) : null}
      {data?.place && isCurrent ? (
        <p className="mt-1 text-faint text-sm">
          Google’s results may change by the time the search runs. Your limit will not.
        </p>
      ) : null}
    </section>
  );
}
