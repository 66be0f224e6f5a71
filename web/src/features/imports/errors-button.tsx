import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { saveFile } from '#web/lib/browser/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { fetchErrors } from './api.ts';

/** Downloads what could not be read, by row. */
export function ErrorsButton({ id }: { id: string }) {
  const download = useMutation({
    mutationFn: () => fetchErrors(id),
    onSuccess: (file) => saveFile('import-errors.csv', file),
    onError: (error) => toast.error('The problems could not be downloaded', errorMessage(error)),
  });
  return (
    <Button size="sm" pending={download.isPending} onClick={() => download.mutate()}>
      <Download aria-hidden />
      Download problems
    </Button>
  );
}
