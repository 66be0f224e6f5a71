import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { LeadList } from '#contract/work/lists.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { copyList, listKeys } from './api.ts';

const MUTATION_KEY = ['duplicate-list'];
const toastId = ({ id }: LeadList): string => `duplicate-${id}`;

/** Duplicates a list and tells how far that is and where the copy is. A second press in the meantime makes no second copy. */
export function useDuplicateList(): (list: LeadList) => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { mutate } = useMutation({
    mutationKey: MUTATION_KEY,
    mutationFn: ({ id }: LeadList) => copyList(id),
    onMutate: (list) => toast.pending('Duplicating…', list.name, toastId(list)),
    onSuccess: async (copy, list) => {
      await queries.invalidateQueries({ queryKey: listKeys.all });
      const open = { label: 'Open', onClick: () => void navigate(`/lists/${copy.list_id}`) };
      toast.success('Duplicated', 'The copy has the same leads. It cost you nothing.', open, { id: toastId(list) });
    },
    onError: (error, list) => toast.error('Duplicate failed', errorMessage(error), undefined, { id: toastId(list) }),
  });
  const isPending = ({ id }: LeadList) =>
    queries.isMutating({
      mutationKey: MUTATION_KEY,
      predicate: ({ state }) => (state.variables as LeadList | undefined)?.id === id,
    }) > 0;
  return (list) => (isPending(list) ? undefined : mutate(list));
}
