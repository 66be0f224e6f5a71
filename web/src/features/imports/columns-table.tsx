import { FIELD_LABELS, IMPORT_FIELDS, type ImportField } from '#contract/imports/fields.ts';
import type { ImportFile } from '#contract/imports/imports.ts';
import { Select, type SelectOption } from '#web/ui/form/select.tsx';

const OPTIONS: readonly SelectOption<ImportField>[] = IMPORT_FIELDS.map((field) => ({
  value: field,
  label: FIELD_LABELS[field],
}));

/** What each column is read as, to be corrected. */
export function ColumnsTable({
  file,
  disabled,
  onChange,
}: {
  file: ImportFile;
  disabled: boolean;
  onChange: (header: string, field: ImportField) => void;
}) {
  return (
    <ul aria-label="Columns" className="divide-y rounded-lg border bg-surface">
      {file.columns.map(({ header, guess, sample }) => (
        <li key={header} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
          <div className="grid min-w-0 flex-1 basis-48">
            <bdi className="font-medium [overflow-wrap:anywhere]">{header}</bdi>
            <span className="truncate text-secondary text-sm">{sample.join(' · ') || 'Empty'}</span>
          </div>
          <Select
            aria-label={`Read ${header} as`}
            size="sm"
            value={(Object.hasOwn(file.mapping, header) && file.mapping[header]) || guess}
            onValueChange={(field) => onChange(header, field)}
            options={OPTIONS}
            disabled={disabled}
            className="w-44"
          />
        </li>
      ))}
    </ul>
  );
}
