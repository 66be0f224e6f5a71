import { z } from 'zod/mini';
import type { LeadList } from '#contract/work/lists.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { plural } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { useCopyLeads } from './api.ts';
import { copiedText } from './copied-text.ts';
import { targetsFor } from './targets.ts';

/** Merges a list into another one, and archives it. Nothing is paid. */
export function MergeListDialog({
  list,
  lists,
  onOpenList,
  onDone,
  onClose,
}: {
  list: LeadList;
  /** Of which those are offered that may hold these leads. */
  lists: readonly LeadList[];
  onOpenList: (listId: string) => void;
  onDone: (listIds: readonly string[]) => void;
  onClose: () => void;
}) {
  const [draft, setDraft, clear] = useDraftState(`merge:${list.id}`, z.string(), '');
  const merging = useCopyLeads(list.id, {});
  const targets = targetsFor(list, lists);
  // The list that was chosen may be gone by now.
  const target = targets.some(({ id }) => id === draft) ? draft : '';
  const merge = () => {
    if (target === '' || merging.isPending) return;
    merging.mutate(
      { to: { list_id: target }, archive: true },
      {
        onSuccess: (copied) => {
          const { list_id } = copied;
          toast.success('Lists merged', `${copiedText(copied)} “${list.name}” is archived.`, {
            label: 'Open',
            onClick: () => onOpenList(list_id),
          });
          clear();
          onDone([list.id, list_id]);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog open onOpenChange={(open) => (open || merging.isPending ? undefined : onClose())}>
      <DialogContent title="Merge into another list" description={<bdi>{list.name}</bdi>} size="sm">
        <form
          className="contents"
          onSubmit={(event) => {
            event.preventDefault();
            merge();
          }}
        >
          <DialogBody>
            {merging.error ? (
              <Alert tone="danger" title="The lists were not merged">
                {errorMessage(merging.error)}
              </Alert>
            ) : null}
            <Field
              label="Into"
              hint={targets.length === 0 ? 'There is no other list that can hold these leads.' : undefined}
            >
              <Select
                value={target}
                placeholder="Choose a list"
                disabled={targets.length === 0}
                onValueChange={setDraft}
                options={targets.map((one) => ({ value: one.id, label: one.name }))}
              />
            </Field>
            <p className="text-secondary text-sm">
              Its {plural(list.leadCount, 'lead')} go to the other list with all that is known of them, and you pay
              nothing. Businesses that are in both are kept once, and what is missing there is filled in. This list is
              then archived, and you can restore it for 30 days. The leads stay in the other list.
            </p>
          </DialogBody>
          <DialogFooter>
            <Button onClick={onClose} disabled={merging.isPending}>
              Cancel
            </Button>
            <Button type="submit" variant="primary" disabled={target === ''} pending={merging.isPending}>
              Merge and archive
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
