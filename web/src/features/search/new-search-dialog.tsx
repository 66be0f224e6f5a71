import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useRef, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod/mini';
import type { Shown } from '#contract/money/budgets.ts';
import { ALL_RESULTS, Area } from '#contract/work/search/areas.ts';
import {
  MAX_RESULTS_CHOICES,
  RADIUS_CHOICES_MILES,
  readMaxResults,
  SEARCH_FORM_DEFAULTS,
  SEARCH_TEXT_MAX_LENGTH,
  SearchForm,
  TYPES_TEXT_MAX_LENGTH,
} from '#contract/work/search/search.ts';
import { type SpendAtMost, shownOf } from '#web/lib/format/price-line.ts';
import { useDraft, useNoteTyped } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { CheckboxChoice } from '#web/ui/form/choice.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { useMediaQuery } from '#web/ui/layout/use-media-query.ts';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { areaRequestOf, isAll, SEARCH_DRAFT } from './api.ts';
import { AreaFields } from './area/area-fields.tsx';
import { AreaPanel } from './area/area-panel.tsx';
import { type EarlierCount, EarlierCounts } from './area/earlier-counts.tsx';
import { useAreaCount } from './area/use-area-count.ts';
import { CostPanel } from './cost-panel.tsx';
import { searchableText } from './count-text.ts';
import { SETTLED_AFTER_MS, SearchCountPanel, useSearchCount } from './search-count.tsx';
import { SourceField } from './source-field.tsx';
import { useSettled } from './use-settled.ts';

const Draft = z.object({
  businessType: z.string(),
  location: z.string(),
  radius: z.string(),
  maxResults: z.string(),
  onlyNew: z.optional(z.literal(true)),
  source: z.optional(z.enum(['open', 'open_first'])),
  area: z.optional(Area),
  nextDay: z.optional(z.literal(true)),
});

const RADIUS_OPTIONS = RADIUS_CHOICES_MILES.map((value) => ({ value, label: `${value} miles` }));
const MAX_OPTIONS = [
  ...MAX_RESULTS_CHOICES.map((value) => ({ value, label: `${value} leads` })),
  { value: ALL_RESULTS, label: 'All in the area' },
];

/** The New Search form. `onStart` never rejects; it resolves to whether the search was taken on; the dialog stays open until it is. */
export function NewSearchDialog({
  defaults = SEARCH_FORM_DEFAULTS,
  providerMissing: keyMissing,
  spendAtMost,
  refusal,
  help,
  onConnectProvider,
  onStart,
  onClose,
}: {
  defaults?: SearchForm | undefined;
  /** Whether no key for the places search is connected: nothing can be searched then. */
  providerMissing: boolean;
  spendAtMost: SpendAtMost;
  /** Why nothing may be spent on what costs so much; undefined when something may. */
  refusal: (boundMicros: number | undefined) => string | undefined;
  /** Stands beside the buttons. */
  help?: ReactNode;
  onConnectProvider: () => void;
  onStart: (form: SearchForm, shown: Shown) => Promise<boolean>;
  onClose: () => void;
}) {
  const draft = useDraft(SEARCH_DRAFT, Draft, defaults);
  const { control, register, handleSubmit, formState, setValue } = useForm<SearchForm>({
    resolver: zodResolver(SearchForm),
    mode: 'onTouched',
    defaultValues: draft.initial,
  });
  const { errors, isValid, isSubmitting } = formState;
  const values = useWatch({ control });
  useNoteTyped(draft, values);
  const changeMaxResults = (next: string) => {
    setValue('maxResults', next);
    if (!values.area || isAll(next)) return;
    // Google's first 60 are those around a place.
    setValue('area', undefined);
    setValue('location', '');
  };
  const [continued, setContinued] = useState(0);
  const continueWith = ({ businessType, area, location: where, radius: miles }: EarlierCount) => {
    setValue('businessType', businessType, { shouldValidate: true });
    if (miles) setValue('radius', miles);
    setValue('area', area);
    setValue('location', where, { shouldValidate: true });
    setContinued(continued + 1);
  };
  const close = () => {
    draft.clear();
    onClose();
  };
  const isOpen = values.source === 'open';
  // Open data is searched as a whole, needs no key and costs nothing.
  const all = isOpen || isAll(values.maxResults);
  const providerMissing = keyMissing && !isOpen;
  const count = useSearchCount(providerMissing || all ? {} : values);
  const asksGoogle = all && !isOpen;
  const areaText = useSettled(providerMissing || !asksGoogle ? '' : searchableText(values), SETTLED_AFTER_MS);
  const areaCount = useAreaCount(areaText === '' ? undefined : areaRequestOf(SearchForm.parse(JSON.parse(areaText))));
  const isSettled = areaText === searchableText(values);
  const isCounted = areaText !== '' && isSettled && areaCount.line.price !== undefined;
  const { line } = all ? areaCount : count;
  const { field, blocked, capMicros } = spendAtMost(isOpen || (asksGoogle && !isCounted) ? [] : [line]);
  const refused =
    isOpen || providerMissing || (asksGoogle && !isCounted) ? undefined : refusal(line.price?.boundMicros);
  const isWide = useMediaQuery('(min-width: 64rem)');
  const [mapPlace, setMapPlace] = useState<HTMLElement | null>(null);
  const starting = useRef(false);

  const start = async (form: SearchForm) => {
    // Two clicks can arrive before the button is drawn as pending, or before the dialog is gone.
    if (starting.current || providerMissing || refused || (!isOpen && blocked) || (asksGoogle && !isCounted)) return;
    starting.current = true;
    const known = areaCount.query.data?.surveyId;
    // A list keeps its search in a few bytes: a drawn shape stands with its survey.
    const counted =
      asksGoogle && known && form.area?.kind === 'polygon' ? { kind: 'counted' as const, survey: known } : form.area;
    const asked = { ...form, ...(counted ? { area: counted } : {}) };
    if (await onStart(asked, isOpen ? {} : shownOf(line, capMicros))) close();
    else starting.current = false;
  };

  const location = (
    <Field label="Location" error={errors.location?.message} hint="A town with its state, or a ZIP code" required>
      <Input
        {...register('location')}
        placeholder="Springfield, IL"
        autoComplete="off"
        maxLength={SEARCH_TEXT_MAX_LENGTH}
      />
    </Field>
  );
  const radius = (
    <Controller
      control={control}
      name="radius"
      render={({ field: { value, onChange } }) => (
        <Field label="Search radius">
          <Select value={value} onValueChange={onChange} options={RADIUS_OPTIONS} />
        </Field>
      )}
    />
  );
  const maxResults = (
    <Controller
      control={control}
      name="maxResults"
      render={({ field: { value } }) => (
        <Field label="Max results">
          <Select value={value} onValueChange={changeMaxResults} options={MAX_OPTIONS} />
        </Field>
      )}
    />
  );

  return (
    <Dialog open onOpenChange={(open) => (open || isSubmitting ? undefined : close())}>
      <DialogContent size={all ? 'xl' : 'md'} title="New Search" description="Find local businesses by type and place.">
        <form className="contents" noValidate onSubmit={(event) => void handleSubmit(start)(event)}>
          <DialogBody className={all ? 'lg:grid-cols-2 lg:gap-x-6' : undefined}>
            <div className="grid content-start gap-4">
              <Controller
                control={control}
                name="source"
                render={({ field: { value, onChange } }) => (
                  <SourceField
                    value={value ?? 'google'}
                    onChange={(next) => onChange(next === 'google' ? undefined : next)}
                  />
                )}
              />
              {providerMissing ? (
                <Alert
                  tone="warning"
                  title="Google Places is not connected"
                  action={
                    <Button size="sm" onClick={onConnectProvider}>
                      Connect Google Places
                    </Button>
                  }
                >
                  A search needs your own Google Places key.
                </Alert>
              ) : null}
              {asksGoogle && !providerMissing ? <EarlierCounts onChoose={continueWith} /> : null}
              <Field
                label="Business type"
                error={errors.businessType?.message}
                hint={all ? 'Separate several types with commas' : undefined}
                required
              >
                <Input
                  {...register('businessType')}
                  autoFocus
                  placeholder="dentists, plumbers, coffee shops…"
                  autoComplete="off"
                  maxLength={all ? TYPES_TEXT_MAX_LENGTH : SEARCH_TEXT_MAX_LENGTH}
                />
              </Field>
              {all ? (
                <AreaFields
                  key={continued}
                  value={{ area: areaOf(values.area), location: values.location ?? '' }}
                  onChange={({ area, location }) => {
                    setValue('area', area);
                    setValue('location', location, { shouldValidate: true });
                  }}
                  count={areaCount}
                  location={location}
                  radius={radius}
                  mapPlace={isWide ? mapPlace : null}
                />
              ) : (
                location
              )}
              {isOpen ? null : all ? (
                maxResults
              ) : (
                <div className="grid grid-cols-2 gap-4">
                  {radius}
                  {maxResults}
                </div>
              )}
              <Controller
                control={control}
                name="onlyNew"
                render={({ field }) => (
                  <CheckboxChoice
                    label="Only businesses that are not in my lists yet"
                    checked={field.value === true}
                    onCheckedChange={(checked) => field.onChange(checked ? true : undefined)}
                  />
                )}
              />
              {asksGoogle ? (
                <Controller
                  control={control}
                  name="nextDay"
                  render={({ field }) => (
                    <CheckboxChoice
                      label="If Google’s daily limit is reached, continue the next day"
                      checked={field.value === true}
                      onCheckedChange={(checked) => field.onChange(checked ? true : undefined)}
                    />
                  )}
                />
              ) : null}
              {isOpen ? null : all ? (
                <AreaPanel count={areaCount} isSettled={isSettled} capMicros={capMicros} />
              ) : (
                <>
                  <CostPanel maxResults={readMaxResults(values.maxResults ?? '')} />
                  <SearchCountPanel count={count} capMicros={capMicros} />
                </>
              )}
              {isOpen || (asksGoogle && !isCounted) ? null : field}
            </div>
            {all ? <div ref={setMapPlace} className="sticky top-0 hidden h-112 max-h-[60dvh] lg:block" /> : null}
          </DialogBody>
          <DialogFooter>
            {help}
            {refused ? (
              <p role="status" className="mr-auto min-w-0 basis-full text-secondary text-sm">
                {refused}
              </p>
            ) : null}
            <Button onClick={close} disabled={isSubmitting}>
              Cancel
            </Button>
            <Button
              type="submit"
              variant="primary"
              disabled={
                !isValid ||
                providerMissing ||
                refused !== undefined ||
                (!isOpen && blocked) ||
                (asksGoogle && !isCounted)
              }
              pending={isSubmitting}
            >
              Start Search
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}

/** What stands in a form is whole or missing. */
const areaOf = (value: unknown): Area | undefined => z.optional(Area).safeParse(value).data;
