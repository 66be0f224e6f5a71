import type { UseQueryResult } from '@tanstack/react-query';
import type { ExportPreview } from '#contract/work/exports/exports.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatCount, plural } from '#web/lib/format/format.ts';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

/** Says before an export-safe file is made what is left out of it. */
export function SafePreview({ preview }: { preview: UseQueryResult<ExportPreview> }) {
  if (preview.isError)
    return (
      <ReadFailed title="What is left out could not be counted" query={preview}>
        {errorMessage(preview.error)}
      </ReadFailed>
    );
  return (
    <p role="status" className="text-secondary text-sm tabular-nums">
      {preview.data ? staysOut(preview.data) : <Skeleton className="w-64 max-w-full" />}
    </p>
  );
}

/** What is left out, in words, and what to do where only values of other sources keep it out. */
export function staysOut(preview: ExportPreview): string {
  const { apartLeftOut } = preview;
  if (apartLeftOut === 0) return countOut(preview);
  return `${countOut(preview)} The license of OpenStreetMap (ODbL) keeps out ${plural(apartLeftOut, 'value')}, because leads here also have values of other sources. To keep them, select only leads without those.`;
}

function countOut({ leads, leftOut, valuesLeftOut, apartLeftOut }: ExportPreview): string {
  const values = plural(valuesLeftOut, 'value');
  if (leads === 0 && leftOut === 0) return 'No leads selected.';
  if (leads === 0)
    return leftOut === 1
      ? 'There is nothing to export. The name of the only lead must be left out.'
      : `There is nothing to export. The names of all ${plural(leftOut, 'lead')} must be left out.`;
  if (leftOut === 0 && valuesLeftOut === 0) return 'Nothing is left out. You can keep every value.';
  if (leftOut === 0) return `${values} ${are(valuesLeftOut)} left out.`;
  const why = ` because no license lets you keep ${leftOut === 1 ? 'its name' : 'their names'}`;
  const whole = `${plural(leftOut, 'lead')} ${are(leftOut)} left out${apartLeftOut > 0 ? ' whole' : why}.`;
  return valuesLeftOut === 0
    ? whole
    : `${whole} ${values} ${are(valuesLeftOut)} left out of the other ${leads === 1 ? 'lead' : formatCount(leads)}.`;
}

const are = (count: number): string => (count === 1 ? 'is' : 'are');
