import { z } from 'zod/mini';
import { type LeadList, LIST_NAME_MAX_LENGTH } from '#contract/work/lists.ts';
import { useDraftState } from '#web/lib/storage/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';

/** A new name, trimmed; empty ones are not saved, and nothing is saved twice. */
export function RenameDialog({
  list,
  pending,
  onRename,
  onClose,
}: {
  list: LeadList;
  pending: boolean;
  onRename: (name: string) => void;
  onClose: () => void;
}) {
  const [name, setName, clear] = useDraftState(`rename:${list.id}`, z.string(), list.name);
  const close = () => {
    clear();
    onClose();
  };
  const empty = name.trim() === '';
  return (
    <Dialog open onOpenChange={(open) => (open || pending ? undefined : close())}>
      <DialogContent title="Rename list" size="sm">
        <form
          className="contents"
          onSubmit={(event) => {
            event.preventDefault();
            if (!empty && !pending) onRename(name.trim());
          }}
        >
          <DialogBody>
            <Field label="List name" required>
              <Input
                dir="auto"
                value={name}
                maxLength={LIST_NAME_MAX_LENGTH}
                autoComplete="off"
                onChange={(event) => setName(event.target.value)}
                onFocus={(event) => event.target.select()}
              />
            </Field>
          </DialogBody>
          <DialogFooter>
            <Button onClick={close} disabled={pending}>
              Cancel
            </Button>
            <Button type="submit" variant="primary" disabled={empty} pending={pending}>
              Save
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
