import { Download, ShieldCheck, X } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';

/** What can be done with the chosen rows; stays in view while they scroll. */
export function BulkBar({
  count,
  checkable,
  onExport,
  onCheckCompliance,
  onClear,
}: {
  count: number;
  /** Whether a check may be asked for now: not while the list is being worked on or is archived. */
  checkable: boolean;
  onExport: () => void;
  onCheckCompliance: () => void;
  onClear: () => void;
}) {
  return (
    <section
      aria-label="Selected leads"
      className="sticky bottom-3 z-30 mx-auto flex w-full max-w-2xl animate-pop-in flex-wrap items-center gap-2 rounded-lg border bg-raised px-3 py-2 shadow-raised"
    >
      <p role="status" className="mr-auto font-medium tabular-nums">{`${count} selected`}</p>
      <Button size="sm" onClick={onExport}>
        <Download aria-hidden />
        Export Selected
      </Button>
      <Button size="sm" disabled={!checkable} onClick={onCheckCompliance}>
        <ShieldCheck aria-hidden />
        Check Compliance
      </Button>
      <Button variant="ghost" size="icon-sm" aria-label="Clear selection" onClick={onClear}>
        <X aria-hidden />
      </Button>
    </section>
  );
}
