import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { LeadList } from '#contract/lists.ts';
import { errorMessage } from '#web/lib/api-error.ts';
import { toast } from '#web/ui/toast.ts';
import { copyList, listKeys } from './api.ts';

/** Duplicates a list and tells where the copy is; one at a time, so that a second press makes no second copy. */
export function useDuplicateList(): (list: LeadList) => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: copyList,
    onSuccess: async (copy) => {
      await queries.invalidateQueries({ queryKey: listKeys.all });
      const open = () => void navigate(`/lists/${copy.list_id}`);
      toast.success('Duplicated', 'The copy has the same leads. Nothing was paid for it.', {
        label: 'Open',
        onClick: open,
      });
    },
    onError: (error) => toast.error('Duplicate failed', errorMessage(error)),
  });
  return ({ id }) => (isPending ? undefined : mutate(id));
}
