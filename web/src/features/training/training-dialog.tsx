import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, type FieldErrors, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod/mini';
import {
  TRAINING_PAGE_LABELS,
  TRAINING_PAGES,
  type TrainingConfig,
  type TrainingPage,
} from '#contract/admin/training.ts';
import {
  EMBED_CODE_MAX_LENGTH,
  saveTrainingEndpoint,
  TRAINING_FIELD_MISSING,
  TRAINING_TITLE_MAX_LENGTH,
  TRAINING_URL_INVALID,
} from '#contract/admin/training-editor.ts';
import { parseVideoUrl } from '#contract/admin/video-url.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { useDraft, useNoteTyped } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { useSaveTraining } from './editor-api.ts';
import { PLAYER_NAMES } from './frame-url.ts';

const Draft = z.object({
  pageKey: z.optional(z.enum(TRAINING_PAGES)),
  title: z.string(),
  embedCode: z.string(),
  isActive: z.boolean(),
});
type TrainingForm = BodyOf<typeof saveTrainingEndpoint>;

/** Says what spec section 5 has for a form that cannot be saved. */
function tellWhatIsWrong(errors: FieldErrors<TrainingForm>): void {
  const missing = Object.values(errors).some((error) => error.message === TRAINING_FIELD_MISSING);
  if (missing) toast.error('Validation Error', 'Please fill in all required fields.');
  else if (errors.embedCode) toast.error('Invalid URL', TRAINING_URL_INVALID);
}

/** What is recognized in the embed code, or what belongs there. */
function embedHint(text: string): string {
  const video = parseVideoUrl(text);
  return video
    ? `${PLAYER_NAMES[video.provider]} video ${video.id}`
    : 'A link to a YouTube or Vimeo video, or its embed code.';
}

/** Adds a video to one of `pages`, or edits that of the only one. The page is locked while editing. */
export function TrainingDialog({
  pages,
  current,
  onClose,
}: {
  pages: readonly TrainingPage[];
  /** The video to edit; undefined to add one. */
  current: TrainingConfig | undefined;
  onClose: () => void;
}) {
  const saving = useSaveTraining();
  const page = pages.length === 1 ? pages[0] : undefined;
  const draft = useDraft(current ? `training:${page}` : 'training', Draft, {
    title: '',
    embedCode: '',
    isActive: true,
    ...current,
    ...(page ? { pageKey: page } : {}),
  });
  const { pageKey, ...typedBefore } = draft.initial;
  const { control, register, handleSubmit, formState } = useForm<TrainingForm>({
    resolver: zodResolver(saveTrainingEndpoint.body),
    defaultValues: { ...typedBefore, ...(pageKey ? { pageKey } : {}) },
  });
  const typed = useWatch({ control });
  useNoteTyped(draft, typed);
  const close = () => {
    draft.clear();
    onClose();
  };
  const { errors } = formState;
  const embedCode = useWatch({ control, name: 'embedCode' });

  const save = (form: TrainingForm) =>
    saving.mutate(form, {
      onSuccess: () => {
        toast.success(`Training video ${current ? 'updated' : 'added'} successfully.`);
        close();
      },
    });

  return (
    <Dialog open onOpenChange={(open) => (open || saving.isPending ? undefined : close())}>
      <DialogContent title={current ? 'Edit Training Video' : 'Add Training Video'}>
        <form className="contents" noValidate onSubmit={(event) => void handleSubmit(save, tellWhatIsWrong)(event)}>
          <DialogBody>
            <Controller
              control={control}
              name="pageKey"
              render={({ field }) => (
                <Field
                  label="Page Location"
                  error={errors.pageKey?.message}
                  hint={current ? 'A video stays on its page.' : undefined}
                  required
                >
                  <Select
                    value={field.value}
                    onValueChange={field.onChange}
                    options={pages.map((value) => ({ value, label: TRAINING_PAGE_LABELS[value] }))}
                    placeholder="Select a page"
                    disabled={current !== undefined}
                  />
                </Field>
              )}
            />
            <Field label="Button Title" error={errors.title?.message} required>
              <Input
                {...register('title')}
                dir="auto"
                placeholder="Watch the tour"
                autoComplete="off"
                maxLength={TRAINING_TITLE_MAX_LENGTH}
              />
            </Field>
            <Field label="Embed Code" error={errors.embedCode?.message} hint={embedHint(embedCode)} required>
              <Textarea
                {...register('embedCode')}
                placeholder="https://www.youtube.com/watch?v=…"
                autoComplete="off"
                spellCheck={false}
                maxLength={EMBED_CODE_MAX_LENGTH}
                className="break-all"
              />
            </Field>
            <Controller
              control={control}
              name="isActive"
              render={({ field }) => (
                <Field label="Active" hint="Only active videos have a button on their page.">
                  <Switch checked={field.value} onCheckedChange={field.onChange} />
                </Field>
              )}
            />
            {saving.error ? (
              <Alert tone="danger" title="The video could not be saved">
                {errorMessage(saving.error)}
              </Alert>
            ) : null}
          </DialogBody>
          <DialogFooter>
            <Button onClick={close} disabled={saving.isPending}>
              Cancel
            </Button>
            <Button type="submit" variant="primary" pending={saving.isPending}>
              {current ? 'Save' : 'Add Video'}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
