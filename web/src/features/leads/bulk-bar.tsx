import { Download, ShieldCheck, X } from 'lucide-react';
import { formatCount } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';

/** What can be done with the chosen rows; stays in view while they scroll. */
export function BulkBar({
  count,
  all,
  checkable,
  onExport,
  onCheckCompliance,
  onClear,
}: {
  count: number;
  /** What may be chosen besides, with its name; nothing when all of it is. */
  all: { label: string; onSelect: () => void } | undefined;
  /** Whether a check may be asked for now: not while the list is being worked on or is archived. */
  checkable: boolean;
  onExport: () => void;
  onCheckCompliance: () => void;
  onClear: () => void;
}) {
  return (
    <section
      aria-label="Selected leads"
      data-sticky-foot
      className="print:hidden sticky bottom-3 z-30 mx-auto flex w-full max-w-2xl animate-pop-in flex-wrap items-center gap-2 rounded-lg border bg-raised px-3 py-2 shadow-raised"
    >
      <div className="mr-auto flex flex-wrap items-center gap-x-2">
        <p role="status" className="font-medium tabular-nums">{`${formatCount(count)} selected`}</p>
        {all ? (
          <Button variant="link" size="sm" onClick={all.onSelect}>
            {all.label}
          </Button>
        ) : null}
      </div>
      <Button size="sm" onClick={onExport}>
        <Download aria-hidden />
        Export Selected
      </Button>
      <Button size="sm" disabled={!checkable} onClick={onCheckCompliance}>
        <ShieldCheck aria-hidden />
        Check Compliance
      </Button>
      <Button variant="ghost" size="icon-sm" aria-label="Clear selection" onClick={onClear} className="ml-auto sm:ml-0">
        <X aria-hidden />
      </Button>
    </section>
  );
}
