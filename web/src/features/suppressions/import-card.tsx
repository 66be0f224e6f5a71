import { FileUp } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { MOST_IMPORT_BYTES } from '#contract/imports/imports.ts';
import { ApiError, errorMessage } from '#web/lib/backend/api-error.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { type Imported, useImportSuppressions } from './api.ts';

/** Wrong cells that are shown. */
const SHOWN_ERRORS = 20;

/** Adds what a file names. Wrong cells are named, and the others are stored. */
export function ImportCard() {
  const input = useRef<HTMLInputElement>(null);
  const [tooLarge, setTooLarge] = useState(false);
  const importing = useImportSuppressions();
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // The same file may be chosen again after it was mended.
    target.value = '';
    if (!file) return;
    const isTooLarge = file.size > MOST_IMPORT_BYTES;
    setTooLarge(isTooLarge);
    if (isTooLarge) importing.reset();
    else importing.mutate(file);
  };
  return (
    <Card aria-label="Import a file">
      <CardHeader>
        <CardTitle>Import a file</CardTitle>
        <CardDescription>
          A CSV, TSV or XLSX file. All columns of phone numbers and emails count, and those named domain, company or
          place ID. Without names, the first column counts, and numbers and emails in the others.
        </CardDescription>
      </CardHeader>
      <CardContent className="grid gap-3">
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,.xlsx"
          aria-label="File to import"
          className="sr-only"
          tabIndex={-1}
          onChange={choose}
        />
        <Button pending={importing.isPending} className="justify-self-start" onClick={() => input.current?.click()}>
          {importing.isPending ? null : <FileUp aria-hidden />}
          Choose file…
        </Button>
        {importing.isPending ? <Progress label="Import" /> : null}
        {tooLarge ? (
          <Alert tone="danger" title="This file is too large">
            A file can be up to {MOST_IMPORT_BYTES / 1024 ** 2} MB. Import it in parts.
          </Alert>
        ) : null}
        {importing.error ? <Failed error={importing.error} /> : null}
        {importing.data ? <Result {...importing.data} /> : null}
      </CardContent>
    </Card>
  );
}

function Failed({ error }: { error: Error }) {
  const isOfFile = error instanceof ApiError && error.code === 'VALIDATION_FAILED';
  return (
    <Alert tone="danger" title={isOfFile ? 'The file could not be read' : 'The import stopped'}>
      {errorMessage(error)} {isOfFile ? '' : 'What was stored stays. Choose the file again to continue.'}
    </Alert>
  );
}

function Result({ added, known, wrong, exports, errors, ignored, otherSheets }: Imported) {
  const isEmpty = added + known + wrong === 0;
  return (
    <Alert
      tone={isEmpty || wrong > 0 || ignored.length > 0 || otherSheets.length > 0 ? 'warning' : 'success'}
      title={isEmpty ? 'No entries were found in this file' : `${plural(added, 'entry', 'entries')} added`}
    >
      {known > 0 ? `${formatCount(known)} already on the list. ` : ''}
      {exports > 0
        ? `${plural(exports, 'past export')} held some of them. Their owners get an email, and the entries below say which. `
        : ''}
      {otherSheets.length > 0
        ? `Nothing was read from these sheets: ${otherSheets.join(', ')}. Send each as its own file. `
        : ''}
      {ignored.length > 0 ? `Nothing was read from these columns: ${ignored.join(', ')}. ` : ''}
      {wrong > 0 ? `${plural(wrong, 'cell')} could not be read:` : ''}
      {wrong > 0 ? (
        <ul className="mt-1 grid gap-0.5">
          {errors.slice(0, SHOWN_ERRORS).map(({ line, text, why }) => (
            <li key={`${line} ${text}`} className="[overflow-wrap:anywhere]">
              Row {formatCount(line)}, <bdi>“{text}”</bdi>: {why}
            </li>
          ))}
          {wrong > SHOWN_ERRORS ? <li>and {formatCount(wrong - SHOWN_ERRORS)} more</li> : null}
        </ul>
      ) : null}
    </Alert>
  );
}
