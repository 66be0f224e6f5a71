import { ChevronDown, Copy, Download, FolderInput, Mail, ShieldCheck, Trash2, X } from 'lucide-react';
import { formatCount } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { keepClear } from '#web/ui/layout/keep-clear.ts';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '#web/ui/overlay/dropdown-menu.tsx';

/** What can be done with the chosen rows; stays in view while they scroll. */
export function BulkBar({
  count,
  all,
  workable,
  onExport,
  onEnrich,
  onCopy,
  onMove,
  onDelete,
  onCheckCompliance,
  onClear,
}: {
  count: number;
  /** What may be chosen besides, with its name; nothing when all of it is. */
  all: { label: string; onSelect: () => void } | undefined;
  /** Whether the leads may be worked on or taken away now: not while the list is being worked on or is archived. */
  workable: boolean;
  onExport: () => void;
  onEnrich: () => void;
  onCopy: () => void;
  onMove: () => void;
  onDelete: () => void;
  onCheckCompliance: () => void;
  onClear: () => void;
}) {
  return (
    <section
      ref={keepClear}
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
      <Button size="sm" disabled={!workable} onClick={onCheckCompliance}>
        <ShieldCheck aria-hidden />
        Check Compliance
      </Button>
      <DropdownMenu>
        <DropdownMenuTrigger>
          <Button size="sm">
            More
            <ChevronDown aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuItem disabled={!workable} onSelect={onEnrich}>
            <Mail aria-hidden />
            Add Emails & Contacts
          </DropdownMenuItem>
          <DropdownMenuItem disabled={!workable} onSelect={onCopy}>
            <Copy aria-hidden />
            Copy to Another List
          </DropdownMenuItem>
          <DropdownMenuItem disabled={!workable} onSelect={onMove}>
            <FolderInput aria-hidden />
            Move to Another List
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem destructive disabled={!workable} onSelect={onDelete}>
            <Trash2 aria-hidden />
            Delete
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <Button variant="ghost" size="icon-sm" aria-label="Clear selection" onClick={onClear} className="ml-auto sm:ml-0">
        <X aria-hidden />
      </Button>
    </section>
  );
}
