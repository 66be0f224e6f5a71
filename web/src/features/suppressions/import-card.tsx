import { FileUp } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/layout/card.tsx';
import { type Imported, useImportSuppressions } from './api.ts';

/** Wrong lines that are shown. */
const SHOWN_ERRORS = 20;

/** Adds what a CSV file names. Wrong lines are named, and the others are stored. */
export function ImportCard() {
  const input = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState(0);
  const importing = useImportSuppressions(setShare);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // The same file may be chosen again after it was mended.
    target.value = '';
    if (!file) return;
    setShare(0);
    importing.mutate(file);
  };
  return (
    <Card aria-label="Import a file">
      <CardHeader>
        <CardTitle>Import a file</CardTitle>
        <CardDescription>
          A CSV file. All columns of phone numbers and emails count, and those named domain, company or place ID.
          Without names, the first column counts, and numbers and emails in the others.
        </CardDescription>
      </CardHeader>
      <CardContent className="grid gap-3">
        <input
          ref={input}
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          aria-label="CSV file"
          className="sr-only"
          tabIndex={-1}
          onChange={choose}
        />
        <Button pending={importing.isPending} className="justify-self-start" onClick={() => input.current?.click()}>
          {importing.isPending ? null : <FileUp aria-hidden />}
          Choose file…
        </Button>
        {importing.isPending && share > 0 ? <Progress label="Import" value={share * 100} /> : null}
        {importing.error ? (
          <Alert tone="danger" title="The import stopped">
            {errorMessage(importing.error)} What was stored stays. Choose the file again to go on.
          </Alert>
        ) : null}
        {importing.data ? <Result {...importing.data} /> : null}
      </CardContent>
    </Card>
  );
}

function Result({ added, known, wrong, exports, errors, ignored }: Imported) {
  return (
    <Alert
      tone={wrong > 0 || ignored.length > 0 ? 'warning' : 'success'}
      title={`${plural(added, 'entry', 'entries')} added`}
    >
      {known > 0 ? `${formatCount(known)} already on the list. ` : ''}
      {exports > 0
        ? `${plural(exports, 'past export')} held some of them. Their owners get an email, and the entries below say which. `
        : ''}
      {ignored.length > 0 ? `Nothing was read from these columns: ${ignored.join(', ')}. ` : ''}
      {wrong > 0 ? `${plural(wrong, 'line')} could not be read:` : ''}
      {wrong > 0 ? (
        <ul className="mt-1 grid gap-0.5">
          {errors.slice(0, SHOWN_ERRORS).map(({ line, text, why }) => (
            <li key={`${line} ${text}`} className="[overflow-wrap:anywhere]">
              Line {formatCount(line)}, <bdi>“{text}”</bdi>: {why}
            </li>
          ))}
          {wrong > SHOWN_ERRORS ? <li>and {formatCount(wrong - SHOWN_ERRORS)} more</li> : null}
        </ul>
      ) : null}
    </Alert>
  );
}
