import { Download } from 'lucide-react';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatBytes } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { useExportData } from './api.ts';

/** Downloads one's data, and says how far it is and how it went. */
export function ExportButton() {
  const { exporting, bytes } = useExportData();
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button pending={exporting.isPending} onClick={() => exporting.mutate()}>
          {exporting.isPending ? null : <Download aria-hidden />}
          Download my data
        </Button>
        <p role="status" className="text-secondary tabular-nums">
          {exporting.isPending ? (bytes > 0 ? `${formatBytes(bytes)} so far` : 'Collecting…') : null}
          {exporting.isSuccess ? `Downloaded, ${formatBytes(bytes)}.` : null}
        </p>
      </div>
      {exporting.isError ? (
        <Alert tone="danger" title="The download failed">
          {errorMessage(exporting.error)}
        </Alert>
      ) : null}
    </div>
  );
}
