import { FIELD_LABELS, LEAD_FIELDS, type LeadField } from '#contract/imports/fields.ts';
import type { FileOrigin } from '#contract/work/provenance.ts';
import { formatCount } from '#web/lib/format/format.ts';

/** Which row of one's own file a lead came from: "your file · row 312". */
const fileText = ({ row }: Pick<FileOrigin, 'row'>): string => `your file · row ${formatCount(row)}`;

/** The same of one of its fields: another file may have filled it in. */
export function fieldText({ row, filled }: FileOrigin, field: string): string {
  const by = filled.findLast(({ fields }) => fields.includes(field));
  return by ? `${fileText(by)} of “${by.name}”` : fileText({ row });
}

const isField = (name: string): name is LeadField => LEAD_FIELDS.some((field) => field === name);

const asWritten = (originals: Readonly<Record<string, string>>, how: string) =>
  Object.entries(originals).flatMap(([field, value]) =>
    isField(field) ? [{ header: `${FIELD_LABELS[field]}, ${how}`, value }] : [],
  );

/** The file of a lead: its other columns, and what it says where that was read differently. */
export function FileOriginPart({ file }: { file: FileOrigin }) {
  const facts = [
    ...file.extra,
    ...asWritten(file.originals, 'as written'),
    ...file.filled.flatMap(({ name, row, extra, originals }) => [
      ...extra.map(({ header, value }) => ({ header: `${header}, row ${formatCount(row)} of “${name}”`, value })),
      ...asWritten(originals, `as written in “${name}”`),
    ]),
  ];
  return (
    <section aria-label="Your file" className="grid min-w-0 grid-cols-1 gap-1 rounded-lg border bg-surface px-4 py-3">
      <h3 className="text-secondary text-sm first-letter:uppercase">{fileText(file)}</h3>
      <p className="break-words">
        <bdi>{file.name}</bdi>
      </p>
      {facts.length > 0 ? (
        <dl className="mt-1 grid gap-1 border-t pt-2">
          {facts.map(({ header, value }) => (
            <div key={header} className="grid min-w-0">
              <dt className="text-secondary text-sm">
                <bdi>{header}</bdi>
              </dt>
              <dd dir="auto" className="break-words text-left">
                {value}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </section>
  );
}
