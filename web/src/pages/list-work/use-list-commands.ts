import {
  Archive,
  ArchiveRestore,
  Copy,
  Download,
  type LucideIcon,
  Mail,
  Pencil,
  ShieldCheck,
  Trash2,
} from 'lucide-react';
import type { LeadList } from '#contract/work/lists.ts';
import { cardActions, type ListAction } from '#web/features/lists/card-actions.ts';
import { usePageCommands } from '#web/shell/commands/page-commands.tsx';
import type { ListWork } from './use-list-work.tsx';

/** Offers what can be done with the open list to the command palette. */
export function useListCommands(list: LeadList, { handlers }: ListWork): void {
  const can = (action: ListAction) => cardActions(list).actions.includes(action);
  const command = (label: string, icon: LucideIcon, act: (list: LeadList) => void) => ({
    id: `list/${label}`,
    label,
    icon,
    run: () => act(list),
  });
  usePageCommands({
    title: 'This list',
    commands: [
      ...(can('enrich') ? [command('Add Emails & Contacts', Mail, handlers.onEnrich)] : []),
      ...(can('compliance') ? [command('Check Compliance', ShieldCheck, handlers.onCheckCompliance)] : []),
      ...(list.leadCount > 0 ? [command('Export', Download, handlers.onExport)] : []),
      command('Rename', Pencil, handlers.onRename),
      ...(list.status === 'processing' ? [] : [command('Duplicate', Copy, handlers.onDuplicate)]),
      list.archived
        ? command('Restore List', ArchiveRestore, handlers.onRestore)
        : command('Archive List', Archive, handlers.onArchive),
      command('Delete', Trash2, handlers.onDelete),
    ],
  });
}
