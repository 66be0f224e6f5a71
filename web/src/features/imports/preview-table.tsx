import { FIELD_LABELS, LEAD_FIELDS } from '#contract/imports/fields.ts';
import type { ImportFile } from '#contract/imports/imports.ts';
import { formatCount } from '#web/lib/format/format.ts';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#web/ui/table/table.tsx';

/** The first rows as they will be read. */
export function PreviewTable({ preview }: Pick<ImportFile, 'preview'>) {
  const fields = LEAD_FIELDS.filter((field) => preview.some(({ values }) => values[field]));
  const headers = [...new Set(preview.flatMap(({ extra }) => Object.keys(extra)))];
  return (
    <div className="min-w-0 overflow-hidden rounded-lg border bg-surface">
      <Table label="The first rows as they will be read">
        <TableHeader>
          <tr>
            <TableHead>Row</TableHead>
            {fields.map((field) => (
              <TableHead key={field}>{FIELD_LABELS[field]}</TableHead>
            ))}
            {headers.map((header) => (
              <TableHead key={header}>
                <bdi>{header}</bdi>
              </TableHead>
            ))}
          </tr>
        </TableHeader>
        <TableBody>
          {preview.map(({ row, values, extra }) => (
            <TableRow key={row}>
              <TableCell className="text-faint tabular-nums">{formatCount(row)}</TableCell>
              {fields.map((field) => (
                <TableCell key={field} className="max-w-64 truncate">
                  <bdi>{values[field] ?? ''}</bdi>
                </TableCell>
              ))}
              {headers.map((header) => (
                <TableCell key={header} className="max-w-64 truncate text-secondary">
                  <bdi>{Object.hasOwn(extra, header) ? extra[header] : ''}</bdi>
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
