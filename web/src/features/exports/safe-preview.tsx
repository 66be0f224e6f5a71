import type { UseQueryResult } from '@tanstack/react-query';
import type { ExportPreview } from '#contract/work/exports/exports.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

/** Says before an export-safe file is made what stays out of it. */
export function SafePreview({ preview }: { preview: UseQueryResult<ExportPreview> }) {
  if (preview.isError)
    return (
      <ReadFailed title="What stays out could not be counted" query={preview}>
        {errorMessage(preview.error)}
      </ReadFailed>
    );
  return (
    <p role="status" className="text-secondary text-sm tabular-nums">
      {preview.data ? staysOut(preview.data) : <Skeleton className="w-64 max-w-full" />}
    </p>
  );
}

/** What stays out, in words. */
export function staysOut({ leads, leftOut, valuesLeftOut }: ExportPreview): string {
  const values = plural(valuesLeftOut, 'value');
  if (leads === 0 && leftOut === 0) return 'No lead is chosen.';
  if (leads === 0) return `Nothing is left to export: no name of ${plural(leftOut, 'lead')} may be kept.`;
  if (leftOut === 0 && valuesLeftOut === 0) return 'Nothing stays out: all values may be kept.';
  if (leftOut === 0) return `${values} ${stay(valuesLeftOut)} out.`;
  const whole = `${plural(leftOut, 'lead')} ${stay(leftOut)} out, because no license lets ${leftOut === 1 ? 'its name' : 'their names'} be kept.`;
  return valuesLeftOut === 0
    ? whole
    : `${whole} Of the other ${formatCount(leads)}, ${values} ${stay(valuesLeftOut)} out.`;
}

const stay = (count: number): string => (count === 1 ? 'stays' : 'stay');
