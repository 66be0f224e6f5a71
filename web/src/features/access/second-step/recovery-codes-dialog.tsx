import { Copy, Download, Printer } from 'lucide-react';
import { saveFile } from '#web/lib/browser/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';

/** In blocks of four, as people read them. */
const grouped = (code: string): string => (code.match(/.{1,4}/g) ?? []).join('-');

const asText = (codes: readonly string[]): string =>
  [
    `Recovery codes for Fairlead (${window.location.host})`,
    'Each code works once.',
    '',
    ...codes.map(grouped),
    '',
  ].join('\n');

/** Shows new codes, this once. */
export function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const copy = () =>
    navigator.clipboard.writeText(asText(codes)).then(
      () => toast.success('Codes copied'),
      () => toast.error('Not copied', 'Select the codes and copy them yourself.'),
    );
  const download = () => saveFile('fairlead-recovery-codes.txt', new Blob([asText(codes)], { type: 'text/plain' }));
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        size="sm"
        title="Save your recovery codes"
        description="If you lose your second step, you can sign in with one of these codes. Each works once."
      >
        <DialogBody>
          <Alert tone="warning">These codes are shown only once. Keep them where no one else can read them.</Alert>
          <ol className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-lg border p-4 font-mono text-sm sm:grid-cols-2">
            {codes.map((code) => (
              <li key={code}>{grouped(code)}</li>
            ))}
          </ol>
          <div className="flex flex-wrap gap-2 print:hidden">
            {'clipboard' in navigator ? (
              <Button onClick={() => void copy()}>
                <Copy aria-hidden /> Copy
              </Button>
            ) : null}
            <Button onClick={download}>
              <Download aria-hidden /> Download
            </Button>
            <Button onClick={() => window.print()}>
              <Printer aria-hidden /> Print
            </Button>
          </div>
        </DialogBody>
        <DialogFooter>
          <Button variant="primary" onClick={onClose}>
            I have saved them
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
