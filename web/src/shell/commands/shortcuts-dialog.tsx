import { Label } from '#web/ui/form/label.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { ShortcutKeys } from './shortcut-keys.tsx';
import { SHORTCUTS } from './shortcuts.ts';

const SWITCH_ID = 'single-key-shortcuts';

/** All keyboard shortcuts, and the switch for those that are a single key. */
export function ShortcutsDialog({
  singleKeys,
  onSingleKeysChange,
  onClose,
}: {
  singleKeys: boolean;
  onSingleKeysChange: (wanted: boolean) => void;
  onClose: () => void;
}) {
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent title="Keyboard shortcuts" size="sm">
        <DialogBody>
          <dl className="grid gap-0.5">
            {SHORTCUTS.map((shortcut) => (
              <div key={shortcut.does} className="flex min-h-8 items-center justify-between gap-4">
                <dt className={shortcut.mod || singleKeys ? undefined : 'text-faint line-through'}>{shortcut.does}</dt>
                <dd>
                  <ShortcutKeys shortcut={shortcut} />
                </dd>
              </div>
            ))}
          </dl>
        </DialogBody>
        <DialogFooter className="items-center justify-between">
          <Label htmlFor={SWITCH_ID} className="font-normal text-secondary">
            Single-key shortcuts
          </Label>
          <Switch id={SWITCH_ID} checked={singleKeys} onCheckedChange={onSingleKeysChange} />
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
