import { COMPLETENESS } from '#contract/completeness.ts';
import { prices } from '#providers/prices.ts';
import type { LocatedPlace, PlaceFinder } from '#providers/provider.ts';
import { AppError } from '#server/http/app-error.ts';
import { pay } from '#server/paid-calls/pay.ts';
import type { KindDefinition, RunContext } from '#server/runs/run-context.ts';
import { SearchInput } from './search-input.ts';
import { locateOperation, placeSubject, REMEMBER_PLACE_MS, REMEMBER_UNKNOWN_PLACE_MS } from './search-operations.ts';
import { searchPages } from './search-pages.ts';
import { unknownPlace } from './unknown-place.ts';

/** Locates the place, then fills the list page by page. */
export const searchKind: KindDefinition = {
  provider: 'google_places',
  async execute(context) {
    const input = SearchInput.parse(context.run.input);
    const finder = context.deps.providers.placeFinder(context.key.apiKey);
    const centre = await locate(context, finder, input.location);
    if (!(await searchPages({ context, finder, input, centre }))) throw lostAnswer();
  },
  async listAfter(_tx, list, end) {
    if (end === 'failed' || (end === 'cancelled' && list.lead_count === 0)) return {};
    return { tier1_complete: true, completeness: list.tier2_complete ? list.completeness : COMPLETENESS.tier1 };
  },
};

async function locate(context: RunContext, finder: PlaceFinder, location: string): Promise<LocatedPlace> {
  const { run } = context;
  const subject = placeSubject(location);
  const outcomes = await pay(context, {
    operation: locateOperation,
    subjects: [subject],
    async send() {
      const place = (await finder.locate(location)) ?? null;
      const rememberMs = place ? REMEMBER_PLACE_MS : REMEMBER_UNKNOWN_PLACE_MS;
      return new Map([[subject, { answer: { place }, costMicros: prices.googleLocateMicros, rememberMs }]]);
    },
    async store(tx, answered) {
      const label = answered[0]?.answer.place?.label;
      if (label) await tx.updateTable('lists').set({ resolved_place: label }).where('id', '=', run.listId).execute();
    },
  });
  const outcome = outcomes.get(subject);
  if (outcome?.state !== 'answered') throw lostAnswer();
  if (!outcome.answer.place) throw unknownPlace(location);
  return outcome.answer.place;
}

const lostAnswer = () =>
  new AppError(
    'PROVIDER_FAILED',
    'Google Places sent no answer that could be read, and one request may have been charged. Press Retry to send it again.',
  );
