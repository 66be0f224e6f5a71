import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useRef } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod/mini';
import {
  MAX_RESULTS_CHOICES,
  RADIUS_CHOICES_MILES,
  readMaxResults,
  SEARCH_FORM_DEFAULTS,
  SEARCH_TEXT_MAX_LENGTH,
  SearchForm,
} from '#contract/work/search.ts';
import { mostOf, type SpendAtMost } from '#web/lib/format/price-line.ts';
import { useDraft, useNoteTyped } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { CheckboxChoice } from '#web/ui/form/choice.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { SEARCH_DRAFT } from './api.ts';
import { CostPanel } from './cost-panel.tsx';
import { SearchCountPanel, useSearchCount } from './search-count.tsx';

const Draft = z.object({
  businessType: z.string(),
  location: z.string(),
  radius: z.string(),
  maxResults: z.string(),
  onlyNew: z.optional(z.literal(true)),
});

const RADIUS_OPTIONS = RADIUS_CHOICES_MILES.map((value) => ({ value, label: `${value} miles` }));
const MAX_OPTIONS = MAX_RESULTS_CHOICES.map((value) => ({ value, label: `${value} leads` }));

/** The New Search form. `onStart` never rejects; it resolves to whether the search was taken on; the dialog stays open until it is. */
export function NewSearchDialog({
  defaults = SEARCH_FORM_DEFAULTS,
  providerMissing,
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
  /** `boundMicros`: what it may cost, as it was shown. */
  onStart: (form: SearchForm, boundMicros: number) => Promise<boolean>;
  onClose: () => void;
}) {
  const draft = useDraft(SEARCH_DRAFT, Draft, defaults);
  const { control, register, handleSubmit, formState } = useForm<SearchForm>({
    resolver: zodResolver(SearchForm),
    mode: 'onTouched',
    defaultValues: draft.initial,
  });
  const { errors, isValid, isSubmitting } = formState;
  const values = useWatch({ control });
  useNoteTyped(draft, values);
  const close = () => {
    draft.clear();
    onClose();
  };
  const count = useSearchCount(providerMissing ? {} : values);
  const { field, blocked, capMicros } = spendAtMost([count.line]);
  const refused = providerMissing ? undefined : refusal(count.line.price?.boundMicros);
  const starting = useRef(false);

  const start = async (form: SearchForm) => {
    // Two clicks can arrive before the button is drawn as pending, or before the dialog is gone.
    if (starting.current || providerMissing || blocked || refused) return;
    starting.current = true;
    if (await onStart(form, mostOf(count.line, capMicros))) close();
    else starting.current = false;
  };

  return (
    <Dialog open onOpenChange={(open) => (open || isSubmitting ? undefined : close())}>
      <DialogContent title="New Search" description="Find local businesses by type and place.">
        <form className="contents" noValidate onSubmit={(event) => void handleSubmit(start)(event)}>
          <DialogBody>
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
            <Field label="Business type" error={errors.businessType?.message} required>
              <Input
                {...register('businessType')}
                placeholder="dentists, plumbers, coffee shops…"
                autoComplete="off"
                maxLength={SEARCH_TEXT_MAX_LENGTH}
              />
            </Field>
            <Field
              label="Location"
              error={errors.location?.message}
              hint="A town with its state, or a ZIP code"
              required
            >
              <Input
                {...register('location')}
                placeholder="Springfield, IL"
                autoComplete="off"
                maxLength={SEARCH_TEXT_MAX_LENGTH}
              />
            </Field>
            <div className="grid grid-cols-2 gap-4">
              <Controller
                control={control}
                name="radius"
                render={({ field }) => (
                  <Field label="Search radius">
                    <Select value={field.value} onValueChange={field.onChange} options={RADIUS_OPTIONS} />
                  </Field>
                )}
              />
              <Controller
                control={control}
                name="maxResults"
                render={({ field }) => (
                  <Field label="Max results">
                    <Select value={field.value} onValueChange={field.onChange} options={MAX_OPTIONS} />
                  </Field>
                )}
              />
            </div>
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
            <CostPanel maxResults={readMaxResults(values.maxResults ?? '')} />
            <SearchCountPanel count={count} capMicros={capMicros} />
            {field}
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
              disabled={!isValid || providerMissing || blocked || refused !== undefined}
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
