import type { FormEvent } from 'react';
import { z } from 'zod/mini';
import type { ImportField } from '#contract/imports/fields.ts';
import {
  DUPLICATE_CHOICES,
  type DuplicateChoice,
  type ImportFile,
  RETENTION_CHOICES,
  type RetentionChoice,
} from '#contract/imports/imports.ts';
import { LIST_NAME_MAX_LENGTH } from '#contract/work/lists.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { plural } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select, type SelectOption } from '#web/ui/form/select.tsx';
import { useCancel, useCheck, useStart } from './api.ts';
import { ColumnsTable } from './columns-table.tsx';
import { FileCounts } from './file-counts.tsx';
import { formatText, listNameOf } from './import-words.ts';
import { PreviewTable } from './preview-table.tsx';

const DUPLICATES: readonly SelectOption<DuplicateChoice>[] = [
  { value: 'skip', label: 'Skip them' },
  { value: 'update', label: 'Fill empty fields of what is there' },
  { value: 'add', label: 'Add them anyway' },
];
const RETENTION: readonly SelectOption<RetentionChoice>[] = [
  { value: 'archive', label: 'Archive it after 30 days, as other lists' },
  { value: 'keep', label: 'Keep it for good' },
];

const Choice = z.object({
  listName: z.string(),
  duplicates: z.enum(DUPLICATE_CHOICES),
  retention: z.enum(RETENTION_CHOICES),
});

/** A file before it becomes a list: how it is read, what it would bring, and what is wanted. */
export function Review({ file, onDone }: { file: ImportFile; onDone: () => void }) {
  const check = useCheck(file.importId);
  const [choice, choose, clear] = useDraftState(`import:${file.importId}`, Choice, {
    listName: listNameOf(file.name),
    duplicates: 'skip',
    retention: 'archive',
  });
  const { listName, duplicates, retention } = choice;
  const start = useStart(file.importId, () => {
    clear();
    toast.success('Import started', `We are importing ${plural(file.rows, 'row')} into “${listName}”.`);
    onDone();
  });
  const discard = useCancel(onDone);
  const change = (header: string, field: ImportField) => check.mutate({ ...file.mapping, [header]: field });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate({ mapping: file.mapping, duplicates, listName, retention });
  };
  const isBusy = check.isPending || start.isPending || discard.isPending;
  return (
    <form aria-label="Review the file" onSubmit={submit} className="grid min-w-0 grid-cols-1 gap-6">
      <div className="grid gap-1">
        <h2 className="font-semibold text-lg [overflow-wrap:anywhere]">
          <bdi>{file.name}</bdi>
        </h2>
        <p className="text-secondary text-sm">
          {formatText(file)}
          {file.remembered ? ' · read like the last file with these headers' : ''}
        </p>
      </div>
      <FileCounts file={file} />
      <section aria-label="How columns are read" className="grid min-w-0 grid-cols-1 gap-2">
        <h3 className="font-medium">Columns</h3>
        <ColumnsTable file={file} disabled={isBusy} onChange={change} />
        <p role="status" className="text-secondary text-sm">
          {check.isPending ? 'Reading the file again…' : ''}
        </p>
        {check.error ? (
          <Alert tone="danger" title="The file could not be read that way">
            {errorMessage(check.error)}
          </Alert>
        ) : null}
      </section>
      <section aria-label="First rows" className="grid min-w-0 grid-cols-1 gap-2">
        <h3 className="font-medium">First rows</h3>
        <PreviewTable preview={file.preview} />
      </section>
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <Field label="List name">
          <Input
            required
            maxLength={LIST_NAME_MAX_LENGTH}
            value={listName}
            onChange={({ target }) => choose({ ...choice, listName: target.value })}
          />
        </Field>
        <Field label="Duplicates">
          <Select
            value={duplicates}
            onValueChange={(next) => choose({ ...choice, duplicates: next })}
            options={DUPLICATES}
          />
        </Field>
        <Field label="How long it is kept">
          <Select
            value={retention}
            onValueChange={(next) => choose({ ...choice, retention: next })}
            options={RETENTION}
          />
        </Field>
      </div>
      {(start.error ?? discard.error) ? (
        <Alert tone="danger" title="The file could not be imported">
          {errorMessage(start.error ?? discard.error)}
        </Alert>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" pending={start.isPending} disabled={isBusy}>
          Import {plural(file.rows, 'row')}
        </Button>
        <Button
          variant="ghost"
          pending={discard.isPending}
          disabled={isBusy}
          onClick={() => discard.mutate(file.importId)}
        >
          Discard
        </Button>
      </div>
    </form>
  );
}
