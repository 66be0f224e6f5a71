import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Shown } from '#contract/money/budgets.ts';
import { COMPLIANCE_PER_LEAD_MICROS, SEARCH_PER_LEAD_MICROS } from '#contract/money/costs.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import type { LeadList } from '#contract/work/lists.ts';
import { AREA_PAGES_DAYS, COORDINATES_DAYS } from '#contract/work/retention.ts';
import type { ListRunKind } from '#contract/work/runs.ts';
import { ALL_RESULTS } from '#contract/work/search/areas.ts';
import { complianceEstimateQuery } from '#web/features/compliance/api.ts';
import { compliancePriceLine } from '#web/features/compliance/price-text.ts';
import { enrichmentEstimateQuery } from '#web/features/enrichment/api.ts';
import { emailsPerLeadMicros } from '#web/features/enrichment/enrichment-options.ts';
import { enrichmentPriceLine } from '#web/features/enrichment/price-text.ts';
import { LOST_AGAIN } from '#web/features/runs/call-words.ts';
import { isFree, type Work } from '#web/features/runs/failure.ts';
import { wordsOf } from '#web/features/runs/work-words.ts';
import { formOf, requestOf, type SearchRequest, searchCountQuery } from '#web/features/search/api.ts';
import { AreaPanel } from '#web/features/search/area/area-panel.tsx';
import { type AreaCount, useAreaCount } from '#web/features/search/area/use-area-count.ts';
import { searchPriceLine } from '#web/features/search/count-text.ts';
import { formatMoney, formatRate, plural } from '#web/lib/format/format.ts';
import { type PriceLine, type SpendAtMost, shownOf } from '#web/lib/format/price-line.ts';
import { PriceBound } from '#web/ui/form/price-bound.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { PROVIDER_OF } from './job.ts';

/** The steps of an enrichment set its price. */
function perLeadMicrosOf({ kind, steps }: Work): number {
  if (kind === 'enrichment') return emailsPerLeadMicros(steps);
  return kind === 'search' ? SEARCH_PER_LEAD_MICROS : COMPLIANCE_PER_LEAD_MICROS;
}

/** What is not paid for again. */
const KNOWN: Record<ListRunKind, string> = {
  search: 'You do not pay again for results from the last day.',
  enrichment: 'You do not pay again for what is known about a website or an email.',
  compliance: 'You do not pay again for a number whose verdict is still valid.',
};

/** The same of a search for a whole area, whose later runs may be new purchases. */
const KNOWN_IN_AREA = `You do not pay again for a page when your lists have all of its places, with details from the last ${COORDINATES_DAYS} days. Any other page is a new purchase if it was paid for more than ${AREA_PAGES_DAYS} days ago, if the area was counted again since, or if it did not bring all of its places. The price includes it.`;

/** Asks before work is done again, with its count and cost. */
export function RetryDialog({
  list,
  work,
  finish,
  spendAtMost,
  refusal,
  keyMissing,
  onConnectKey,
  onRetry,
  onClose,
}: {
  list: LeadList;
  work: Work;
  /** Whether it goes on with what is missing, instead of repeating what failed. */
  finish: boolean;
  spendAtMost: SpendAtMost;
  /** Why nothing may be spent on what costs so much; undefined when something may. */
  refusal: (boundMicros: number | undefined) => string | undefined;
  keyMissing: boolean;
  onConnectKey: () => void;
  onRetry: (shown: Shown) => void;
  onClose: () => void;
}) {
  const started = useRef(false);
  const { kind, chosen } = work;
  const free = isFree(work);
  const search = work.searchFor ?? requestOf(formOf(list.searchParams));
  const area = kind === 'search' && search.maxResults === ALL_RESULTS ? search : undefined;
  const places = search.maxResults === ALL_RESULTS ? undefined : search;
  const leads = kind === 'search' ? (places?.maxResults ?? 0) : (chosen?.count ?? list.leadCount);
  const areaCount = useAreaCount(keyMissing ? undefined : area);
  useCountTheRest(areaCount, finish);
  const other = usePrice(work, list, places, keyMissing, leads);
  const price = area ? areaCount.line : other;
  const uncounted = area !== undefined && price.price === undefined;
  const { field, blocked, capMicros } = spendAtMost(uncounted || free ? [] : [price]);
  const refused = keyMissing
    ? undefined
    : (price.price?.nothing ?? (free ? undefined : refusal(price.price?.boundMicros)));
  const start = () => {
    if (started.current) return;
    started.current = true;
    onRetry(shownOf(price, capMicros));
  };
  const { noun } = wordsOf(work);
  const perLeadMicros = perLeadMicrosOf(work);
  const { name } = PROVIDER_CATALOGUE[PROVIDER_OF[kind]];
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={finish ? `Finish the rest of the ${noun}?` : `Retry the ${noun}?`}
      description={
        <span className="grid gap-3">
          <span>
            The {noun} of <bdi className="break-words font-medium text-foreground">“{list.name}”</bdi>{' '}
            {finish ? 'will continue with what is missing.' : 'will run again.'} You keep what was found before.{' '}
            {free ? 'It is free.' : `${area ? KNOWN_IN_AREA : KNOWN[kind]} ${LOST_AGAIN[kind]}`}
          </span>
          {area ? null : (
            <span className="block rounded-lg border">
              <span className="flex items-baseline justify-between gap-4 px-3 py-2 tabular-nums">
                <span>{`Estimated cost at list price · ${plural(leads, chosen ? 'selected lead' : 'lead')}${free ? '' : ` × ${formatRate(perLeadMicros)}`}`}</span>
                <span className="font-semibold text-foreground">
                  {free ? 'Free' : formatMoney(leads * perLeadMicros)}
                </span>
              </span>
              {keyMissing ? null : (
                <span className="block border-t px-3 py-2">
                  <PriceBound lines={[price]} capMicros={capMicros} />
                </span>
              )}
            </span>
          )}
          {keyMissing ? <span className="text-warning">{`${name} API key is missing.`}</span> : null}
        </span>
      }
      confirmText={keyMissing ? `Connect ${name}` : finish ? 'Finish the rest' : 'Retry'}
      disabled={!keyMissing && (blocked || uncounted || refused !== undefined)}
      refused={refused}
      onConfirm={keyMissing ? onConnectKey : start}
    >
      {area && !keyMissing ? <AreaPanel count={areaCount} capMicros={capMicros} /> : null}
      {keyMissing || uncounted || free ? null : field}
    </ConfirmDialog>
  );
}

/** Who finishes a search means its gaps as well: they are counted at once, which costs nothing. */
function useCountTheRest({ query, survey }: AreaCount, finish: boolean): void {
  const begun = useRef(false);
  const open = query.data?.state === 'counted' && query.data.gaps > 0;
  const { mutate } = survey.begin;
  useEffect(() => {
    if (!finish || !open || begun.current) return;
    begun.current = true;
    mutate('on');
  }, [finish, open, mutate]);
}

/** What the repetition costs at most. */
function usePrice(
  { kind, chosen, steps }: Work,
  list: LeadList,
  searchFor: SearchRequest | undefined,
  keyMissing: boolean,
  leads: number,
): PriceLine {
  const search = useQuery({
    ...searchCountQuery(searchFor),
    enabled: kind === 'search' && searchFor !== undefined && !keyMissing,
  });
  const emails = useQuery({
    ...enrichmentEstimateQuery({ listId: list.id, choice: chosen?.choice, steps }),
    enabled: kind === 'enrichment',
  });
  const compliance = useQuery({ ...complianceEstimateQuery(list.id, chosen?.choice), enabled: kind === 'compliance' });
  switch (kind) {
    case 'search':
      return searchPriceLine(search, { location: searchFor?.location ?? '', maxResults: leads });
    case 'enrichment':
      return enrichmentPriceLine(emails, leads, steps);
    case 'compliance':
      return compliancePriceLine(compliance, leads);
  }
}
