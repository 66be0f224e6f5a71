import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LeadList } from '#contract/work/lists.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { archiveList, deleteList, listKeys, renameList, restoreList } from './api.ts';

type Change =
  | { kind: 'rename'; list: LeadList; name: string }
  | { kind: 'archive'; list: LeadList }
  | { kind: 'restore'; list: LeadList }
  | { kind: 'delete'; list: LeadList };

const CHANGE_KEY = ['change-list'];

/** Titles of spec section 8. */
const FAILED: Record<Change['kind'], string> = {
  rename: 'Rename failed',
  archive: 'Archive failed',
  restore: 'Restore failed',
  delete: 'Delete failed',
};

function send(change: Change): Promise<void> {
  switch (change.kind) {
    case 'rename':
      return renameList(change.list.id, change.name);
    case 'archive':
      return archiveList(change.list.id);
    case 'restore':
      return restoreList(change.list.id);
    case 'delete':
      return deleteList(change.list.id);
  }
}

/** The lists as they will be once the server has done it. A deleted list stays until it is really gone. */
export function afterChange(lists: LeadList[], change: Change, now: string): LeadList[] {
  const changed = (list: LeadList): LeadList => {
    switch (change.kind) {
      case 'rename':
        return { ...list, name: change.name };
      case 'archive':
        return { ...list, archived: true, archivedAt: now };
      case 'restore':
        return { ...list, archived: false, archivedAt: undefined, retentionFrom: now };
      case 'delete':
        return list;
    }
  };
  return lists.map((list) => (list.id === change.list.id ? changed(list) : list));
}

/** Rename, archive, restore and delete: shown at once, taken back when refused, with an undo where there is one. */
export function useChangeList() {
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationKey: CHANGE_KEY,
    mutationFn: send,
    onMutate: async (change: Change) => {
      await queries.cancelQueries({ queryKey: listKeys.all });
      const before = queries.getQueryData<LeadList[]>(listKeys.all);
      queries.setQueryData<LeadList[]>(listKeys.all, (lists) =>
        lists ? afterChange(lists, change, new Date().toISOString()) : lists,
      );
      return { before };
    },
    onError: (error, change, saved) => {
      queries.setQueryData(listKeys.all, saved?.before);
      toast.error(FAILED[change.kind], errorMessage(error));
    },
    onSuccess: (_data, change) => {
      if (change.kind !== 'delete') return;
      queries.setQueryData<LeadList[]>(listKeys.all, (lists) => lists?.filter((list) => list.id !== change.list.id));
    },
    // Not waited for: while the server is out of reach, no one is kept from closing the dialog or from trying again.
    onSettled: () => void queries.invalidateQueries({ queryKey: listKeys.all }),
  });
  const isPending = ({ kind, list }: Change) =>
    queries.isMutating({
      mutationKey: CHANGE_KEY,
      predicate: ({ state }) => {
        const other = state.variables as Change | undefined;
        return other?.kind === kind && other.list.id === list.id;
      },
    }) > 0;
  /** Resolves to whether it went well. A second click, faster than the page is drawn, does nothing. */
  const change = async (wanted: Change): Promise<boolean> => {
    if (isPending(wanted)) return false;
    try {
      await mutation.mutateAsync(wanted);
      return true;
    } catch {
      return false;
    }
  };

  const archive = async (list: LeadList): Promise<void> => {
    if (!(await change({ kind: 'archive', list }))) return;
    const undo = () => void change({ kind: 'restore', list });
    toast.success('List archived', 'Will be permanently deleted in 30 days.', { label: 'Undo', onClick: undo });
  };
  const restore = async (list: LeadList): Promise<void> => {
    if (!(await change({ kind: 'restore', list }))) return;
    const undo = () => void change({ kind: 'archive', list });
    toast.success('List restored', 'It is back in your active lists.', { label: 'Undo', onClick: undo });
  };
  const rename = async (list: LeadList, name: string): Promise<boolean> => {
    const trimmed = name.trim();
    if (trimmed === '') return false;
    if (trimmed === list.name) return true;
    if (!(await change({ kind: 'rename', list, name: trimmed }))) return false;
    const undo = () => void change({ kind: 'rename', list, name: list.name });
    toast.success('Renamed', 'List name updated successfully.', { label: 'Undo', onClick: undo });
    return true;
  };
  const remove = async (list: LeadList): Promise<boolean> => {
    if (!(await change({ kind: 'delete', list }))) return false;
    toast.success('Deleted', 'List has been deleted.');
    return true;
  };
  return { archive, restore, rename, remove, pending: mutation.isPending };
}
