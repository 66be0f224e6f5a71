import { Archive, ArchiveRestore, Copy, Ellipsis, Merge, Pencil, Trash2 } from 'lucide-react';
import type { LeadList } from '#contract/work/lists.ts';
import { Button } from '#web/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '#web/ui/overlay/dropdown-menu.tsx';

export type ListMenuHandlers = {
  onRename: (list: LeadList) => void;
  onDuplicate: (list: LeadList) => void;
  onCopyLeads: (list: LeadList) => void;
  onMerge: (list: LeadList) => void;
  onArchive: (list: LeadList) => void;
  onRestore: (list: LeadList) => void;
  onDelete: (list: LeadList) => void;
};

/** The menu of a list, on its card and on its page. */
export function ListMenu({
  list,
  size = 'icon-sm',
  onRename,
  onDuplicate,
  onCopyLeads,
  onMerge,
  onArchive,
  onRestore,
  onDelete,
}: ListMenuHandlers & { list: LeadList; size?: 'icon' | 'icon-sm' }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger>
        <Button variant="ghost" size={size} aria-label={`More actions for ${list.name}`}>
          <Ellipsis aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={() => onRename(list)}>
          <Pencil aria-hidden />
          Rename
        </DropdownMenuItem>
        <DropdownMenuItem disabled={list.status === 'processing'} onSelect={() => onDuplicate(list)}>
          <Copy aria-hidden />
          Duplicate
        </DropdownMenuItem>
        <DropdownMenuItem disabled={list.status === 'processing'} onSelect={() => onCopyLeads(list)}>
          <Copy aria-hidden />
          Copy to Another List
        </DropdownMenuItem>
        {list.archived ? null : (
          <DropdownMenuItem disabled={list.status === 'processing'} onSelect={() => onMerge(list)}>
            <Merge aria-hidden />
            Merge into Another List
          </DropdownMenuItem>
        )}
        {list.archived ? (
          <DropdownMenuItem onSelect={() => onRestore(list)}>
            <ArchiveRestore aria-hidden />
            Restore List
          </DropdownMenuItem>
        ) : (
          <DropdownMenuItem onSelect={() => onArchive(list)}>
            <Archive aria-hidden />
            Archive List
          </DropdownMenuItem>
        )}
        <DropdownMenuSeparator />
        <DropdownMenuItem destructive onSelect={() => onDelete(list)}>
          <Trash2 aria-hidden />
          Delete
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
