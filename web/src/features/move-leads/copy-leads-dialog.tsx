import { z } from 'zod/mini';
import type { ChosenLeads } from '#contract/work/lead-choice.ts';
import { type LeadList, LIST_NAME_MAX_LENGTH } from '#contract/work/lists.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { plural } from '#web/lib/format/format.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { useCopyLeads } from './api.ts';
import { copiedText } from './copied-text.ts';
import { targetsFor } from './targets.ts';

const NEW_LIST = 'new';
const Draft = z.object({ target: z.string(), name: z.string() });

/** Copies leads of a list to another one, or moves them. Nothing is paid. */
export function CopyLeadsDialog({
  list,
  lists,
  chosen,
  remove,
  onOpenList,
  onDone,
  onRefused,
  onClose,
}: {
  list: LeadList;
  /** Of which those are offered that may hold these leads. */
  lists: readonly LeadList[];
  /** Undefined for all leads. */
  chosen: ChosenLeads | undefined;
  /** Whether the leads leave their list. */
  remove: boolean;
  onOpenList: (listId: string) => void;
  onDone: (listIds: readonly string[]) => void;
  /** The leads may be others by now. */
  onRefused: () => void;
  onClose: () => void;
}) {
  const [draft, setDraft, clear] = useDraftState(`copy:${list.id}`, Draft, { target: NEW_LIST, name: '' });
  const { name } = draft;
  const copying = useCopyLeads(list.id, chosen?.choice ?? {});
  const targets = targetsFor(list, lists);
  // The list that was chosen may be gone by now.
  const target = targets.some(({ id }) => id === draft.target) ? draft.target : NEW_LIST;
  const isNew = target === NEW_LIST;
  const blocked = isNew && name.trim() === '';
  const count = chosen?.count ?? list.leadCount;
  const verb = remove ? 'Move' : 'Copy';
  const start = () => {
    if (blocked || copying.isPending) return;
    const to = isNew ? { name: name.trim() } : { list_id: target };
    copying.mutate(
      { to, ...(remove ? { remove, count: chosen?.count, digest: chosen?.digest } : {}) },
      {
        onSuccess: (copied) => {
          const { list_id } = copied;
          const open = { label: 'Open', onClick: () => onOpenList(list_id) };
          toast.success(
            remove ? 'Leads moved' : 'Leads copied',
            copiedText(copied, remove ? list.name : undefined),
            open,
          );
          clear();
          onDone([list.id, list_id]);
          onClose();
        },
        onError: onRefused,
      },
    );
  };
  return (
    <Dialog open onOpenChange={(open) => (open || copying.isPending ? undefined : onClose())}>
      <DialogContent title={`${verb} ${plural(count, 'lead')}`} description={<bdi>{list.name}</bdi>} size="sm">
        <form
          className="contents"
          onSubmit={(event) => {
            event.preventDefault();
            start();
          }}
        >
          <DialogBody>
            {copying.error ? (
              <Alert tone="danger" title={remove ? 'The leads were not moved' : 'The leads were not copied'}>
                {errorMessage(copying.error)}
              </Alert>
            ) : null}
            <Field label="To">
              <Select
                value={target}
                onValueChange={(next) => setDraft({ ...draft, target: next })}
                options={[
                  { value: NEW_LIST, label: 'A new list' },
                  ...targets.map((one) => ({ value: one.id, label: one.name })),
                ]}
              />
            </Field>
            {isNew ? (
              <Field label="Name of the new list" required>
                <Input
                  dir="auto"
                  value={name}
                  maxLength={LIST_NAME_MAX_LENGTH}
                  autoComplete="off"
                  onChange={(event) => setDraft({ ...draft, name: event.target.value })}
                />
              </Field>
            ) : null}
            <p className="text-secondary text-sm">
              Emails, owners and verdicts go along, and you pay nothing.
              {isNew ? '' : ' Leads that are in both lists are kept once, and what is missing there is filled in.'}
              {remove && !isNew
                ? ' A lead stays here if the other list has another email, owner or number for it.'
                : ''}
            </p>
          </DialogBody>
          <DialogFooter>
            <Button onClick={onClose} disabled={copying.isPending}>
              Cancel
            </Button>
            <Button type="submit" variant="primary" disabled={blocked} pending={copying.isPending}>
              {verb}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
