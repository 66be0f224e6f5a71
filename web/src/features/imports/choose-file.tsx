import { FileUp } from 'lucide-react';
import { type ChangeEvent, type ClipboardEvent, type DragEvent, useRef, useState } from 'react';
import { type ImportFile, MOST_IMPORT_BYTES, MOST_IMPORT_ROWS } from '#contract/imports/imports.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { useUpload } from './api.ts';
import { typeOf } from './import-words.ts';

const MEGABYTES = MOST_IMPORT_BYTES / 1024 ** 2;
const LIMITS = `CSV, TSV or XLSX, up to ${formatCount(MOST_IMPORT_ROWS)} rows and ${MEGABYTES} MB. Nothing is stored as a lead before you say so.`;

/** Takes a file: dropped, pasted or chosen. */
export function ChooseFile({ onRead }: { onRead: (file: ImportFile) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const upload = useUpload();
  const [isOver, setIsOver] = useState(false);
  const [tooLarge, setTooLarge] = useState(false);
  const take = (file: Blob, name: string) => {
    const isTooLarge = file.size > MOST_IMPORT_BYTES;
    setTooLarge(isTooLarge);
    if (!isTooLarge && !upload.isPending) upload.mutate({ file, name }, { onSuccess: onRead });
  };
  const takeFile = (file: File | undefined) => {
    if (file) take(new Blob([file], { type: typeOf(file) }), file.name);
  };
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    takeFile(target.files?.[0]);
    // The same file may be chosen again after it was mended.
    target.value = '';
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    takeFile(event.dataTransfer.files[0]);
  };
  const paste = (event: ClipboardEvent) => {
    const [file] = event.clipboardData.files;
    const text = event.clipboardData.getData('text/plain');
    if (file) takeFile(file);
    else if (text.trim()) take(new Blob([text], { type: 'text/csv' }), 'Pasted rows');
    event.preventDefault();
  };
  return (
    <section aria-label="Choose a file" className="grid gap-3">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the buttons inside are the first */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
        className={cn(
          'grid justify-items-center gap-3 rounded-lg border border-dashed px-6 py-10 text-center transition-colors',
          isOver && 'border-accent bg-accent-soft',
        )}
      >
        <span className="grid size-10 place-items-center rounded-lg border bg-surface text-faint">
          <FileUp aria-hidden className="size-5" />
        </span>
        <p className="font-medium">Drop a file here, or choose one</p>
        <p className="max-w-prose text-secondary text-sm">{LIMITS}</p>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,.xlsx"
          aria-label="File to import"
          className="sr-only"
          tabIndex={-1}
          onChange={choose}
        />
        <Button variant="primary" pending={upload.isPending} onClick={() => input.current?.click()}>
          Choose file…
        </Button>
        <textarea
          aria-label="Paste rows"
          placeholder="Or paste rows from a spreadsheet here"
          rows={1}
          value=""
          onChange={() => undefined}
          onPaste={paste}
          className="w-full max-w-sm resize-none rounded-md border border-control bg-surface px-3 py-1.5 text-center text-sm placeholder:text-faint"
        />
        {upload.isPending ? <Progress label="Reading the file" className="max-w-sm" /> : null}
      </div>
      {tooLarge ? (
        <Alert tone="danger" title="This file is too large">
          A file can be up to {MEGABYTES} MB. Import it in parts.
        </Alert>
      ) : null}
      {upload.error ? (
        <Alert tone="danger" title="The file could not be read">
          {errorMessage(upload.error)}
        </Alert>
      ) : null}
    </section>
  );
}
